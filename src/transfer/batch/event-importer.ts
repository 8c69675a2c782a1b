import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { Database } from '../../database/database.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { ApiError, apiError } from '../../errors/api-error.js';
import { EventDto } from '../../events/event.dto.js';
import { EventsService } from '../../events/events.service.js';
import { isOneOf } from '../../kernel/sql-condition.js';
import { parseJsonBody } from '../../platform/http/bodies/json-body.js';
import { type Input, readInput } from '../../platform/http/fields/input.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { lineKey } from '../lines/line-key.js';
import { added, alteration, type Losses, lossesOf, NO_LOSSES } from '../lines/line-losses.js';
import type { Line } from '../lines/read-lines.js';
import { type LineError, refusalsOf } from './line-error.js';

/** What became of some lines. */
export interface ImportResult {
  readonly added: number;
  /** Imported before, by an earlier run or an earlier line. */
  readonly known: number;
  readonly refusedLines: number;
  readonly refused: readonly LineError[];
  /** Of the added lines. */
  readonly losses: Losses;
}

/** A line whose fields were read. */
interface Read {
  readonly number: number;
  readonly key: string;
  readonly values: Record<string, unknown>;
  readonly input: Input<EventDto>;
}

/** A line that was found right. */
interface Accepted {
  readonly number: number;
  readonly key: string;
  readonly draft: Awaited<ReturnType<EventsService['draft']>>;
  readonly losses: Losses;
}

/** Lines that were looked at before anything is written. */
export interface CheckedLines {
  readonly accepted: readonly Accepted[];
  /** By line. */
  readonly refused: readonly (readonly LineError[])[];
}

/** Imports lines that are bodies of POST /events, by the checks and services of that route. */
@Injectable()
export class EventImporter {
  constructor(
    private readonly database: Database,
    private readonly events: EventsService,
    private readonly environment: Environment,
  ) {}

  /** Imports a batch of lines in one transaction; of a dry run only the checks. */
  async run(lines: readonly Line[], context: RequestContext, dryRun: boolean): Promise<ImportResult> {
    return this.write(await this.check(lines, context), context, dryRun);
  }

  /** The checks that need no transaction. What lines before these create need not be there yet: `write` looks again. */
  async check(lines: readonly Line[], context: RequestContext): Promise<CheckedLines> {
    const refused: (readonly LineError[])[] = [];
    const read = await rightOnes(lines, refused, (line) => this.read(line));
    const inputs = read.map(({ input }) => input);
    const references = await this.events.findReferences(inputs, context);
    const accepted = await rightOnes(read, refused, async ({ number, key, values, input }) => {
      const draft = await this.events.draft(input, references, context);
      const losses = lossesOf(number, EventDto, values, input.dto);
      return { number, key, draft: { ...draft, passwordHash: passwordHashOf(values) }, losses };
    });
    return { accepted, refused };
  }

  async write(checked: CheckedLines, context: RequestContext, dryRun: boolean): Promise<ImportResult> {
    const { accepted } = checked;
    const written = await (dryRun ? this.look(accepted) : this.writeRight(accepted, context));
    const refused = [...checked.refused, ...written.refused];
    return {
      added: written.added.length,
      known: accepted.length - written.added.length - written.refused.length,
      refusedLines: refused.length,
      refused: refused.flat().sort((a, b) => a.line - b.line),
      losses: added(written.added),
    };
  }

  /** Nothing of a line is written before all of it was found right. */
  private read({ number, bytes, key }: Line): Read {
    if (bytes.length > this.environment.MAX_BODY_BYTES) throw apiError('rest_body_too_large');
    const values = parseJsonBody(bytes);
    return { number, key: key ?? lineKey(values), values, input: readInput(EventDto, 'create', values) };
  }

  /** A line that the database's state of this moment refuses is found by halves; the others are imported. */
  private async writeRight(lines: readonly Accepted[], context: RequestContext): Promise<Written> {
    try {
      return { added: await this.writeAll(lines, context), refused: [] };
    } catch (error) {
      const [first] = lines;
      if (!(error instanceof ApiError) || first === undefined) throw error;
      if (lines.length === 1) return { added: [], refused: [refusalsOf(first.number, error)] };
      const middle = Math.ceil(lines.length / 2);
      const left = await this.writeRight(lines.slice(0, middle), context);
      const right = await this.writeRight(lines.slice(middle), context);
      return { added: [...left.added, ...right.added], refused: [...left.refused, ...right.refused] };
    }
  }

  private writeAll(lines: readonly Accepted[], context: RequestContext): Promise<Losses[]> {
    return this.database.inTransaction(async (tx) => {
      // Two imports of the same lines at once: the second one sees what the first one has added.
      await tx.lockName('import');
      const fresh = await newLines(tx, lines);
      const drafts = fresh.map(({ draft }) => draft);
      const made = await this.events.insert(tx, drafts, context);
      await tx.insertMany(
        TABLES.importedLines,
        fresh.map(({ key }, index) => ({ line_key: key, event_id: made[index]!.id })),
      );
      return fresh.map((line, index) => added([line.losses, slugLoss(line, made[index]!.slug)]));
    });
  }

  private async look(lines: readonly Accepted[]): Promise<Written> {
    return { added: (await newLines(this.database, lines)).map(({ losses }) => losses), refused: [] };
  }
}

interface Written {
  /** By line. */
  readonly added: readonly Losses[];
  /** By line. */
  readonly refused: readonly (readonly LineError[])[];
}

/** A slug that another event has gets a number; in the trash it has no meaning. */
function slugLoss({ number, draft: { dto } }: Accepted, slug: string): Losses {
  const { slug: sent = null, status } = dto;
  if (sent === null || sent === slug || status === 'trash') return NO_LOSSES;
  return { altered: [alteration(number, 'slug', sent, slug)], ignored: [] };
}

/** Few enough that a database whose answer comes meanwhile does not wait long for its next statement. */
const LINES_A_TURN = 5;

/** What comes of the lines; of those that are refused it is noted why. */
async function rightOnes<Some extends { readonly number: number }, Result>(
  lines: readonly Some[],
  refused: (readonly LineError[])[],
  work: (line: Some) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: PromiseSettledResult<Result>[] = [];
  for (let first = 0; first < lines.length; first += LINES_A_TURN) {
    const some = lines.slice(first, first + LINES_A_TURN);
    results.push(...(await Promise.allSettled(some.map(async (line) => work(line)))));
    await nextTurn();
  }
  return results.flatMap((result, index) => {
    if (result.status === 'fulfilled') return [result.value];
    if (!(result.reason instanceof ApiError)) throw result.reason;
    refused.push(refusalsOf(lines[index]!.number, result.reason));
    return [];
  });
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

const PASSWORD_HASH = /^scrypt\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/;

/** The event password of a line as it is stored: an export knows no other form of it. */
function passwordHashOf({ password_hash: hash }: Record<string, unknown>): string | undefined {
  if (hash === undefined || (typeof hash === 'string' && PASSWORD_HASH.test(hash))) return hash;
  const text = 'password_hash is not a stored password.';
  throw apiError('rest_invalid_param', {
    params: { names: 'password_hash' },
    data: { params: { password_hash: text } },
  });
}
