import { Entity, Index } from 'typeorm';
import { IdColumn, KeyText } from '../../database/sql/columns.js';
import { TABLES } from '../../database/sql/tables.js';

/** The event that each imported line created. The row exists as long as the event, also in the trash. */
@Entity(TABLES.importedLines)
@Index('ix_imported_lines_event', ['event_id'])
export class ImportedLineRow {
  /** SHA-256 of the canonical line, or of its `external_id`. */
  @KeyText(64) line_key: string;
  @IdColumn() event_id: number;
}

/** The record that each line of a venue, organizer, category or tag created. The record may have been deleted since. */
@Entity(TABLES.importedRecords)
export class ImportedRecordRow {
  /** SHA-256 of the canonical line, which includes the kind of record. */
  @KeyText(64) line_key: string;
  @IdColumn() record_id: number;
}
