import { Injectable, Module } from '@nestjs/common';
import { InjectDataSource, TypeOrmModule } from '@nestjs/typeorm';
import {
  Column,
  DataSource,
  Entity,
  type EntitySubscriberInterface,
  type InsertEvent,
  ManyToOne,
  type MigrationInterface,
  OneToMany,
  PrimaryGeneratedColumn,
  type QueryRunner,
  type Relation,
  Table,
} from 'typeorm';

/** A module as the NestJS manual has it, with nothing of the service. */
@Entity('rooms')
export class Room {
  @PrimaryGeneratedColumn() id: number;
  @Column({ unique: true }) name: string;
  @Column({ default: 0 }) seats: number;
  @Column({ default: false }) open: boolean;
  /** A column may have the name of a table of the service. */
  @Column({ default: '' }) site: string;
  @OneToMany(() => Booking, (booking) => booking.room, { cascade: true }) bookings: Relation<Booking>[];
}

@Entity('bookings')
export class Booking {
  @PrimaryGeneratedColumn() id: number;
  @Column() guest: string;
  @ManyToOne(() => Room, (room) => room.bookings) room: Relation<Room>;
}

class CreateRooms1795500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const id = {
      name: 'id',
      type: 'integer',
      isPrimary: true,
      isGenerated: true,
      generationStrategy: 'increment',
    } as const;
    await runner.createTable(
      new Table({
        name: 'rooms',
        columns: [
          id,
          { name: 'name', type: 'varchar', length: '255', isUnique: true },
          { name: 'seats', type: 'integer', default: 0 },
          { name: 'open', type: 'boolean', default: false },
          { name: 'site', type: 'varchar', length: '255', default: "''" },
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'bookings',
        columns: [
          id,
          { name: 'guest', type: 'varchar', length: '255' },
          { name: 'roomId', type: 'integer', isNullable: true },
        ],
        foreignKeys: [{ columnNames: ['roomId'], referencedTableName: 'rooms', referencedColumnNames: ['id'] }],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('bookings');
    await runner.dropTable('rooms');
  }
}

/** Counts the rooms that are inserted, as the manual's subscribers do. */
@Injectable()
export class RoomSubscriber implements EntitySubscriberInterface<Room> {
  readonly inserted: string[] = [];

  constructor(@InjectDataSource() source: DataSource) {
    source.subscribers.push(this);
  }

  listenTo() {
    return Room;
  }

  afterInsert({ entity }: InsertEvent<Room>): void {
    this.inserted.push(entity.name);
  }
}

@Module({})
class RoomsModule {}

/** What a test starts a service with. `forFeature` adds the entities again after `forgetRooms`. */
export const withRooms = () => ({
  modules: [{ module: RoomsModule, imports: [TypeOrmModule.forFeature([Room, Booking])], providers: [RoomSubscriber] }],
  migrations: [CreateRooms1795500000000],
});

/** `forFeature` names entities to all services of the process: those of the next files must not get these. */
export function forgetRooms({ options }: DataSource): void {
  const entities = options.entities as unknown[];
  entities.splice(0, Infinity, ...entities.filter((entity) => entity !== Room && entity !== Booking));
}
