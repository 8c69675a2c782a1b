import { Entity, Index } from 'typeorm';
import { IdColumn, KeyText } from '../../database/sql/columns.js';
import { TABLES } from '../../database/sql/tables.js';

/** Which line of an import made which event; kept while the event exists, also in the trash. */
@Entity(TABLES.importedLines)
@Index('ix_imported_lines_event', ['event_id'])
export class ImportedLineRow {
  /** SHA-256 of the canonical line, or of its `external_id`. */
  @KeyText(64) line_key: string;
  @IdColumn() event_id: number;
}

/** The same for lines of venues, organizers, categories and tags. The record may be gone since: who reads looks. */
@Entity(TABLES.importedRecords)
export class ImportedRecordRow {
  /** SHA-256 of the canonical line, which says what kind of record it is. */
  @KeyText(64) line_key: string;
  @IdColumn() record_id: number;
}
