import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { Clock } from '../../config/clock.js';
import { SiteSettings } from '../../config/site-settings.js';
import { eventLine, type ExportLine, isCostExact, linkedPostLine, termLine } from './export-line.js';
import { type EventExport, eventPages, linkedPostPages, termPages } from './export-query.js';

/** Prints a message for the operator about data that the export does not contain. */
export type Report = (text: string) => void;

/** Reads all records as lines for an import. Each record comes before those that refer to it. */
@Injectable()
export class Exporter {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly site: SiteSettings,
  ) {}

  /** Passes all lines to `take`, page by page, from one snapshot of the database. */
  run(take: (lines: readonly ExportLine[]) => Promise<void>, report: Report): Promise<void> {
    return this.database.snapshot(async (sql) => {
      for await (const lines of this.lines(sql, report)) await take(lines);
    });
  }

  private async *lines(sql: Sql, report: Report): AsyncGenerator<ExportLine[]> {
    const nowUtc = this.clock.now();
    for await (const rows of termPages(sql, 'tribe_events_cat')) yield rows.map((row) => termLine('category', row));
    for await (const rows of termPages(sql, 'post_tag')) yield rows.map((row) => termLine('tag', row));
    for (const record of ['venue', 'organizer'] as const) {
      for await (const rows of linkedPostPages(sql, record))
        yield rows.map((row) => linkedPostLine(record, row, nowUtc));
    }
    for await (const rows of eventPages(sql)) {
      for (const row of rows) reportLosses(row, report);
      yield rows.map((row) => eventLine(row, nowUtc, this.site.instance));
    }
    for (const text of await generalLosses(sql)) report(text);
  }
}

function reportLosses(row: EventExport, report: Report): void {
  const { slug, lost } = row;
  if (!isCostExact(row)) report(`event ${slug}: the cost is carried as it is shown, without all of its values`);
  for (const record of lost) report(`event ${slug}: its link to the ${record}, which is in the trash, is not carried`);
}

/** Returns messages about data that lines cannot contain. */
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
