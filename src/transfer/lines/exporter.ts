import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { Clock } from '../../config/clock.js';
import { eventLine, type ExportLine, isCostWhole, linkedPostLine, termLine } from './export-line.js';
import { type EventExport, eventPages, linkedPostPages, termPages } from './export-query.js';

/** What an export could not say in full, for the operator. */
export type Note = (text: string) => void;

/** Reads all records as lines that an import takes back: what is referred to comes before what refers to it. */
@Injectable()
export class Exporter {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Hands over one page of lines after the other, all of one moment, whatever is written meanwhile. */
  run(take: (lines: readonly ExportLine[]) => Promise<void>, note: Note): Promise<void> {
    return this.database.snapshot(async (sql) => {
      for await (const lines of this.lines(sql, note)) await take(lines);
    });
  }

  private async *lines(sql: Sql, note: Note): AsyncGenerator<ExportLine[]> {
    const now = this.clock.now();
    for await (const rows of termPages(sql, 'tribe_events_cat')) yield rows.map((row) => termLine('category', row));
    for await (const rows of termPages(sql, 'post_tag')) yield rows.map((row) => termLine('tag', row));
    for (const record of ['venue', 'organizer'] as const) {
      for await (const rows of linkedPostPages(sql, record)) yield rows.map((row) => linkedPostLine(record, row, now));
    }
    for await (const rows of eventPages(sql)) {
      for (const row of rows) noteLosses(row, note);
      yield rows.map((row) => eventLine(row, now));
    }
    for (const text of await generalLosses(sql)) note(text);
  }
}

function noteLosses(row: EventExport, note: Note): void {
  const { slug, lost } = row;
  if (!isCostWhole(row)) note(`event ${slug}: the cost is carried as it is shown, without all of its values`);
  for (const record of lost) note(`event ${slug}: its link to the ${record}, which is in the trash, is not carried`);
}

/** What lines have no member for. */
async function generalLosses(sql: Sql): Promise<string[]> {
  const count = async (from: string) => {
    const [row] = await sql.query<{ records: number }>(`SELECT count(*) AS records FROM ${from}`);
    return Number(row?.records ?? 0);
  };
  const sizes = await count(`${TABLES.images} WHERE width IS NOT NULL OR height IS NOT NULL OR filesize IS NOT NULL`);
  let trashed = 0;
  for (const table of [TABLES.events, TABLES.venues, TABLES.organizers]) {
    trashed += await count(`${table} WHERE status = 'trash'`);
  }
  return [
    ...(sizes > 0 ? [`images whose sizes are not carried, IMAGE_PROBE finds them again: ${sizes}`] : []),
    ...(trashed > 0 ? [`records in the trash whose status of before is not carried: ${trashed}`] : []),
  ];
}
