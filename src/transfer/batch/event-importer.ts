import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { Database } from '../../database/database.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { ApiError, apiError } from '../../errors/api-error.js';
import { EventDto } from '../../events/event.dto.js';
import { EventsService } from '../../events/events.service.js';
import { isOneOf } from '../../kernel/sql-condition.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { partByUid, uidOf } from '../keys/line-uids.js';
import type { Line } from '../lines/line.js';
import { alteration, type Losses, NO_LOSSES, sumLosses } from '../lines/line-losses.js';
import { inOrder, type LineError, lineErrorsOf } from './line-error.js';
import type { ParseThread } from './parse-thread.js';
import { parseLine } from './parsed-line.js';

/** The result of importing lines. */
export interface ImportResult {
  readonly added: number;
  /** The number of lines already imported by an earlier run or an earlier line. */
  readonly known: number;
  readonly rejectedLines: number;
  readonly rejected: readonly LineError[];
  /** The losses of the added lines, and the unknown members of the rejected ones. */
  readonly losses: Losses;
}

/** A line that was not imported. */
interface RejectedLine {
  readonly errors: readonly LineError[];
  readonly losses: Losses;
}

/** A line, and its members that no field accepts. */
interface ReadLine {
  readonly line: Line;
  readonly unknown: Losses;
}

/** A line that passed all checks. */
interface CheckedLine extends ReadLine {
  readonly key: string;
  readonly draft: Awaited<ReturnType<EventsService['draft']>>;
  readonly losses: Losses;
}

/** The result of the checks before any write. */
export interface CheckedLines {
  readonly accepted: readonly CheckedLine[];
  readonly rejected: readonly RejectedLine[];
}

/** Imports lines that are bodies of POST /events, by the checks and services of that route. */
@Injectable()
export class EventImporter {
  constructor(
    private readonly database: Database,
    private readonly events: EventsService,
    private readonly environment: Environment,
  ) {}

  /** Imports lines in one transaction. A dry run only checks them. */
  async run(lines: readonly Line[], context: RequestContext, dryRun: boolean): Promise<ImportResult> {
    return this.write(await this.check(lines, context), context, dryRun);
  }

  /**
   * Runs the checks, possibly before earlier lines are written, so that `write` checks references again. `thread`: parses the
   * lines that it can.
   */
  async check(lines: readonly Line[], context: RequestContext, thread?: ParseThread): Promise<CheckedLines> {
    const rejected: RejectedLine[] = [];
    const ready = (await thread?.parse(lines)) ?? [];
    const sent = lines.map((line, index) => ({ line, unknown: NO_LOSSES, parsed: ready[index] }));
    const parsed = await processLines(sent, rejected, ({ line, parsed: one }) => {
      return { line, ...(one ?? parseLine(line, this.environment.MAX_BODY_BYTES)) };
    });
    const references = await this.events.findReferences(parsed, context);
    const accepted = await processLines(parsed, rejected, async (one) => {
      const { dto: _dto, problems: _problems, stored, ...checked } = one;
      const draft = await this.events.draft(one, references, context);
      return { ...checked, draft: { ...draft, passwordHash: passwordHashOf(stored), uid: uidOf(stored) } };
    });
    return { accepted, rejected };
  }

  async write(checked: CheckedLines, context: RequestContext, dryRun: boolean): Promise<ImportResult> {
    const { accepted } = checked;
    const written = await (dryRun ? this.preview(accepted, context) : this.writeValid(accepted, context));
    const rejected = [...checked.rejected, ...written.rejected];
    return {
      added: written.added.length,
      known: accepted.length - written.added.length - written.rejected.length,
      rejectedLines: rejected.length,
      rejected: inOrder(rejected.flatMap(({ errors }) => errors)),
      losses: sumLosses([...written.added, ...rejected.map(({ losses }) => losses)]),
    };
  }

  /** Writes all valid lines. If a transaction fails, tries each half of its lines, until the invalid line is alone. */
  private async writeValid(lines: readonly CheckedLine[], context: RequestContext): Promise<Written> {
    try {
      return await this.writeAll(lines, context);
    } catch (error) {
      const [first] = lines;
      if (!(error instanceof ApiError) || first === undefined) throw error;
      if (lines.length === 1) return { added: [], rejected: [rejectedLine(first, error)] };
      const middle = Math.ceil(lines.length / 2);
      const left = await this.writeValid(lines.slice(0, middle), context);
      const right = await this.writeValid(lines.slice(middle), context);
      return { added: [...left.added, ...right.added], rejected: [...left.rejected, ...right.rejected] };
    }
  }

  private writeAll(lines: readonly CheckedLine[], context: RequestContext): Promise<Written> {
    return this.database.inTransaction(async (tx) => {
      // Makes concurrent imports wait for each other, so that the second one finds the lines that the first one added.
      await tx.lockName('import');
      const { free: added, taken } = await partByUid(tx, await newLines(tx, lines), context.site.instance);
      const drafts = added.map(({ draft }) => draft);
      const inserted = await this.events.insert(tx, drafts, context);
      await tx.insertMany(
        TABLES.importedLines,
        added.map(({ key }, index) => ({ line_key: key, event_id: inserted[index]!.id })),
      );
      const losses = added.map((line, index) => sumLosses([line.losses, slugLoss(line, inserted[index]!.slug)]));
      return { added: losses, rejected: taken.map(takenUid) };
    });
  }

  private async preview(lines: readonly CheckedLine[], { site }: RequestContext): Promise<Written> {
    const { free, taken } = await partByUid(this.database, await newLines(this.database, lines), site.instance);
    return { added: free.map(({ losses }) => losses), rejected: taken.map(takenUid) };
  }
}

interface Written {
  /** The losses of each added line. */
  readonly added: readonly Losses[];
  readonly rejected: readonly RejectedLine[];
}

function takenUid(line: CheckedLine): RejectedLine {
  const text = 'uid is that of another event.';
  return rejectedLine(
    line,
    apiError('rest_invalid_param', { params: { names: 'uid' }, data: { params: { uid: text } } }),
  );
}

/** Returns the change of a slug that another event already has. Ignores slugs of events in the trash. */
function slugLoss({ line: { number }, draft: { dto } }: CheckedLine, slug: string): Losses {
  const { slug: sent = null, status } = dto;
  if (sent === null || sent === slug || status === 'trash') return NO_LOSSES;
  return { altered: [alteration(number, 'slug', sent, slug)], ignored: [] };
}

/** Limits the time without a yield, so that the writing of the previous batch goes on in between. */
const LINES_PER_YIELD = 5;

/** Processes lines and returns the results of valid ones. Adds the errors of rejected ones to `rejected`. */
async function processLines<Item extends ReadLine, Result>(
  lines: readonly Item[],
  rejected: RejectedLine[],
  process: (line: Item) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: PromiseSettledResult<Result>[] = [];
  for (let first = 0; first < lines.length; first += LINES_PER_YIELD) {
    const batch = lines.slice(first, first + LINES_PER_YIELD);
    results.push(...(await Promise.allSettled(batch.map(async (line) => process(line)))));
    await yieldToEventLoop();
  }
  return results.flatMap((result, index) => {
    if (result.status === 'fulfilled') return [result.value];
    if (!(result.reason instanceof ApiError)) throw result.reason;
    rejected.push(rejectedLine(lines[index]!, result.reason));
    return [];
  });
}

function rejectedLine({ line, unknown }: ReadLine, error: ApiError): RejectedLine {
  return { errors: lineErrorsOf(line, error, EventDto), losses: unknown };
}

/** Returns the first line of each key that is not yet imported. */
async function newLines(sql: Sql, lines: readonly CheckedLine[]): Promise<CheckedLine[]> {
  const byKey = new Map(lines.toReversed().map((line) => [line.key, line]));
  const where = isOneOf('line_key', [...byKey.keys()]);
  const known = await sql.query<{ line_key: string }>(
    `SELECT line_key FROM ${TABLES.importedLines} WHERE ${where.sql}`,
    where.params,
  );
  for (const { line_key } of known) byKey.delete(line_key);
  return lines.filter((line) => byKey.get(line.key) === line);
}

const PASSWORD_HASH = /^scrypt\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/;

/** Returns the hash of an event's password, the only form that exports contain. */
function passwordHashOf({ password_hash: hash }: Record<string, unknown>): string | undefined {
  if (hash === undefined || (typeof hash === 'string' && PASSWORD_HASH.test(hash))) return hash;
  const text = 'password_hash is not a stored password.';
  throw apiError('rest_invalid_param', {
    params: { names: 'password_hash' },
    data: { params: { password_hash: text } },
  });
}
