import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Sql } from '../database/dialect.js';
import { Clock } from '../platform/clock.js';
import { eventLine, type ExportLine, isCostWhole, linkedPostLine, termLine } from './export.lines.js';
import { eventPages, linkedPostPages, termPages } from './export.query.js';

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
      rows
        .filter((row) => !isCostWhole(row))
        .forEach(({ slug }) => note(`event ${slug}: the cost is carried as it is shown, without all of its values`));
      yield rows.map((row) => eventLine(row, now));
    }
  }
}
