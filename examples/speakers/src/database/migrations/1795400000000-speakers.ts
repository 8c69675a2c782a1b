import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { TYPES } from '../sql/columns.js';

const { id, text, longText, time } = TYPES;

export class Speakers1795400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const columns = [
      { name: 'id', ...id(), isPrimary: true, isGenerated: true, generationStrategy: 'increment' as const },
      { name: 'slug', ...text(255) },
      { name: 'restore_slug', ...text(255), isNullable: true },
      { name: 'title', ...text(500) },
      { name: 'title_key', ...longText() },
      { name: 'search_text', ...longText() },
      { name: 'description', ...longText() },
      { name: 'status', ...text(20) },
      { name: 'trashed_from', ...text(20), isNullable: true },
      { name: 'public_from', ...time(), isNullable: true },
      { name: 'author_id', ...id() },
      { name: 'date_utc', ...time() },
      { name: 'modified_utc', ...time() },
      { name: 'revision', ...id() },
      { name: 'image_id', ...id(), isNullable: true },
      { name: 'name_hash', ...text(64) },
      { name: 'phone', ...text(100) },
      { name: 'website', ...text(2000) },
      { name: 'topic', ...text(200) },
    ];
    const indices = [
      { name: 'ux_speakers_slug', columnNames: ['slug'], isUnique: true },
      { name: 'ix_speakers_list', columnNames: ['date_utc', 'id'] },
      { name: 'ix_speakers_name', columnNames: ['name_hash'] },
      { name: 'ix_speakers_public', columnNames: ['public_from'] },
      { name: 'ix_speakers_status', columnNames: ['status', 'public_from'] },
    ];
    await runner.createTable(new Table({ name: 'speakers', columns, indices, engine: 'InnoDB' }));
    const links = [
      { name: 'event_id', ...id(), isPrimary: true },
      { name: 'speaker_id', ...id(), isPrimary: true },
      { name: 'position', ...id() },
    ];
    const byRecord = [{ name: 'ix_event_speakers_speaker', columnNames: ['speaker_id', 'event_id'] }];
    await runner.createTable(
      new Table({ name: 'event_speakers', columns: links, indices: byRecord, engine: 'InnoDB' }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('event_speakers');
    await runner.dropTable('speakers');
  }
}
