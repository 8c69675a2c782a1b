import type { SqlValue } from '../database/sql/dialect.js';
import type { Transaction } from '../database/connection/transaction.js';
import { allOf, type SqlCondition, condition, NEVER } from '../kernel/sql-condition.js';
import type { PostStatus } from '../kernel/post-status.js';
import { inStatus, mayRead, type PostRights, readable } from '../kernel/visibility.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { Columns, LinkedPostDto, LinkedPostKind } from './linked-post.kind.js';
import { type LinkedPostWrite, nameHash, nameOf, sentColumns } from './linked-post.draft.js';

/** Names share 4,096 locks a kind: a table of locks that grows with every name would never end. */
const LOCK_DIGITS = 3;

/** The lock on the name of a create: equal ones that come at the same time wait for each other (contract VO-15). */
export function lockOf(kind: LinkedPostKind, dto: LinkedPostDto): string {
  return `${kind.noun} ${nameHash(nameOf(dto, kind) ?? '').slice(0, LOCK_DIGITS)}`;
}

/** A create, and the row that it would insert, the slug still as it is wanted. */
export interface Candidate {
  readonly write: LinkedPostWrite;
  readonly row: PostRights & Columns;
}

/** The records that creates would only repeat, each in the place of its create (contract 11.3, "Reuse"; VO-15, VO-16). */
export async function findEquals(
  tx: Transaction,
  kind: LinkedPostKind,
  candidates: readonly Candidate[],
  context: RequestContext,
): Promise<(number | undefined)[]> {
  const found: (number | undefined)[] = [];
  for (let first = 0; first < candidates.length; first += QUESTIONS_A_STATEMENT) {
    const questions = candidates.slice(first, first + QUESTIONS_A_STATEMENT).map((candidate, index) => {
      const { sql, params } = equalTo(kind, candidate, context);
      return condition(`SELECT ${index} AS place, min(p.id) AS id FROM ${kind.table} p WHERE ${sql}`, ...params);
    });
    const rows = await tx.query<{ place: number; id: number | null }>(
      questions.map(({ sql }) => sql).join(' UNION ALL '),
      questions.flatMap(({ params }) => params),
    );
    for (const { place, id } of rows) found[first + place] = id ?? undefined;
  }
  return found;
}

/** So many that few statements are sent, and few enough for any engine. */
const QUESTIONS_A_STATEMENT = 100;

function equalTo(kind: LinkedPostKind, candidate: Candidate, context: RequestContext): SqlCondition {
  const { slug, status } = candidate.write.dto;
  // No record outside the trash is equal to one that is to be in it.
  if (status === 'trash') return NEVER;
  return allOf([
    ...sought(kind, candidate).map(([column, value]) => equal(column, value, context)),
    condition('p.status <> ?', 'trash'),
    readable('p', context.caller, context.nowUtc),
    ...(typeof slug === 'string' ? [condition('p.slug = ?', slug)] : []),
  ]);
}

function equal(column: string, value: SqlValue, { nowUtc }: RequestContext): SqlCondition {
  return column === 'status' ? inStatus('p', [value as PostStatus], nowUtc) : condition(`p.${column} = ?`, value);
}

/** What a record must hold, by column: sent fields as a write would store them; empty ones do not count. */
function sought(kind: LinkedPostKind, { write: { dto, publication }, row }: Candidate): [string, SqlValue][] {
  const isDated = publication.date !== undefined || publication.dateUtc !== undefined;
  const columns = [
    'name_hash',
    ...Object.keys(sentColumns(kind, dto)).filter((column) => row[column] !== ''),
    ...(dto.status === undefined ? [] : ['status']),
    ...(isDated ? ['date_utc'] : []),
    ...(typeof dto.author === 'number' ? ['author_id'] : []),
    'image_id',
  ];
  return columns
    .map((column) => [column, row[column] ?? null] as [string, SqlValue])
    .filter(([, value]) => value !== null);
}

/**
 * The records of creates that are not stored yet, or just now: for them this tells what `findEquals` tells of stored
 * ones. What it cannot know are their slugs.
 */
export class NewRecords<Of extends Candidate> {
  private readonly byName = new Map<SqlValue | undefined, Of[]>();

  constructor(
    private readonly kind: LinkedPostKind,
    private readonly context: RequestContext,
  ) {}

  add(create: Of): void {
    const { caller, nowUtc } = this.context;
    if (create.write.dto.status === 'trash' || !mayRead(create.row, caller, nowUtc)) return;
    const ofName = this.byName.get(create.row.name_hash);
    if (ofName === undefined) this.byName.set(create.row.name_hash, [create]);
    else ofName.push(create);
  }

  /** The first one that a create would only repeat, whatever slug it wants. */
  findEqual(create: Candidate): Of | undefined {
    if (create.write.dto.status === 'trash') return undefined;
    const wanted = sought(this.kind, create);
    // All of them are of one moment: at it, the status in a row is what the status means.
    const ofName = this.byName.get(create.row.name_hash) ?? [];
    return ofName.find(({ row }) => wanted.every(([column, value]) => row[column] === value));
  }
}
