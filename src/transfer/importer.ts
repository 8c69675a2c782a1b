import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Sql } from '../database/dialect.js';
import { TABLES } from '../database/tables.js';
import { EventDto } from '../events/event.dto.js';
import { EventsService } from '../events/events.service.js';
import { isOneOf } from '../kernel/condition.js';
import { ApiError } from '../platform/errors/api-error.js';
import { readInput } from '../platform/http/input.js';
import { parseJsonBody } from '../platform/http/json-body.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { lineKey } from './line-key.js';
import { type Refusal, refusalsOf } from './refusal.js';

/** One line of a file: its number, from 1, and its bytes. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer;
}

/** What became of some lines. */
export interface ImportResult {
  readonly added: number;
  /** Imported before, by an earlier run or an earlier line. */
  readonly known: number;
  readonly refusedLines: number;
  readonly refused: readonly Refusal[];
}

/** A line that was found right. */
interface Accepted {
  readonly key: string;
  readonly draft: Awaited<ReturnType<EventsService['draft']>>;
}

/** Imports lines that are bodies of POST /events, by the checks and services of that route. */
@Injectable()
export class Importer {
  constructor(
    private readonly database: Database,
    private readonly events: EventsService,
  ) {}

  /** Imports a batch of lines in one transaction; of a dry run only the checks. */
  async run(lines: readonly Line[], context: RequestContext, dryRun: boolean): Promise<ImportResult> {
    const checked = await Promise.all(lines.map((line) => this.check(line, context)));
    const accepted = checked.filter((line): line is Accepted => 'key' in line);
    const refused = checked.filter((line): line is readonly Refusal[] => !('key' in line));
    const added = await (dryRun ? this.count(accepted) : this.write(accepted, context));
    return { added, known: accepted.length - added, refusedLines: refused.length, refused: refused.flat() };
  }

  /** Nothing of a line is written before all of it was found right. */
  private async check({ number, bytes }: Line, context: RequestContext): Promise<Accepted | readonly Refusal[]> {
    try {
      const values = parseJsonBody(bytes);
      const draft = await this.events.draft(readInput(EventDto, 'create', values), context);
      return { key: lineKey(values), draft };
    } catch (error) {
      if (error instanceof ApiError) return refusalsOf(number, error);
      throw error;
    }
  }

  private write(lines: readonly Accepted[], context: RequestContext): Promise<number> {
    return this.database.inTransaction(async (tx) => {
      // Two imports of the same lines at once: the second one sees what the first one has added.
      await tx.lockName('import');
      const fresh = await newLines(tx, lines);
      for (const { key, draft } of fresh) {
        const event_id = await this.events.insert(tx, draft, context);
        await tx.insert(TABLES.importedLines, { line_key: key, event_id });
      }
      return fresh.length;
    });
  }

  private async count(lines: readonly Accepted[]): Promise<number> {
    return (await newLines(this.database, lines)).length;
  }
}

/** The first line of every key that was not imported yet. */
async function newLines(sql: Sql, lines: readonly Accepted[]): Promise<Accepted[]> {
  const byKey = new Map(lines.toReversed().map((line) => [line.key, line]));
  const where = isOneOf('line_key', [...byKey.keys()]);
  const known = await sql.query<{ line_key: string }>(
    `SELECT line_key FROM ${TABLES.importedLines} WHERE ${where.sql}`,
    where.params,
  );
  for (const { line_key } of known) byKey.delete(line_key);
  return lines.filter((line) => byKey.get(line.key) === line);
}
