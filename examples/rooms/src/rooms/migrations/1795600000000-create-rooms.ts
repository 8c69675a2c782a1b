import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

export class CreateRooms1795600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: 'rooms',
        columns: [
          { name: 'id', type: 'integer', isPrimary: true, isGenerated: true, generationStrategy: 'increment' },
          { name: 'name', type: 'varchar', length: '100', isUnique: true },
          { name: 'seats', type: 'integer' },
          { name: 'venue_id', type: 'integer' },
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'room_bookings',
        columns: [
          { name: 'room_id', type: 'integer', isPrimary: true },
          { name: 'event_id', type: 'integer', isPrimary: true },
        ],
        foreignKeys: [
          {
            columnNames: ['room_id'],
            referencedTableName: 'rooms',
            referencedColumnNames: ['id'],
            onDelete: 'CASCADE',
          },
        ],
        indices: [{ name: 'ix_room_bookings_event', columnNames: ['event_id'] }],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('room_bookings');
    await runner.dropTable('rooms');
  }
}
