import type { SqlValue } from '../database/sql/dialect.js';
import type { Transaction } from '../database/connection/transaction.js';
import { allOf, type SqlCondition, condition, NEVER } from '../kernel/sql-condition.js';
import type { PostStatus } from '../kernel/post-status.js';
import { inStatus, mayRead, type PostRights, readable } from '../kernel/visibility.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { Columns, LinkedPostDto, LinkedPostKind } from './linked-post.kind.js';
import { type LinkedPostWrite, nameHash, nameOf, sentColumns } from './linked-post.draft.js';

/** The hexadecimal digits of a name's hash in its lock: 4,096 locks per kind, so that the lock table stays small. */
const LOCK_DIGITS = 3;

/** Returns the name of the lock that makes concurrent creates of the same name wait for each other (contract VO-15). */
export function lockNameOf(kind: LinkedPostKind, dto: LinkedPostDto): string {
  return `${kind.noun} ${nameHash(nameOf(dto, kind) ?? '').slice(0, LOCK_DIGITS)}`;
}

/** A create, and the row that it would insert, with the wanted slug. */
export interface Candidate {
  readonly write: LinkedPostWrite;
  readonly row: PostRights & Columns;
}

/** Returns the id of an equal record for each create, or undefined (contract 11.3, "Reuse"; VO-15, VO-16). */
export async function findEquals(
  tx: Transaction,
  kind: LinkedPostKind,
  candidates: readonly Candidate[],
  context: RequestContext,
): Promise<(number | undefined)[]> {
  const found: (number | undefined)[] = [];
  for (let first = 0; first < candidates.length; first += MAX_CREATES_PER_QUERY) {
    const selects = candidates.slice(first, first + MAX_CREATES_PER_QUERY).map((candidate, index) => {
      const { sql, params } = equalTo(kind, candidate, context);
      return condition(`SELECT ${index} AS position, min(p.id) AS id FROM ${kind.table} p WHERE ${sql}`, ...params);
    });
    const rows = await tx.query<{ position: number; id: number | null }>(
      selects.map(({ sql }) => sql).join(' UNION ALL '),
      selects.flatMap(({ params }) => params),
    );
    for (const { position, id } of rows) found[first + position] = id ?? undefined;
  }
  return found;
}

/** The number of SELECTs in a UNION, which engines limit. */
const MAX_CREATES_PER_QUERY = 100;

function equalTo(kind: LinkedPostKind, candidate: Candidate, context: RequestContext): SqlCondition {
  const { slug, status } = candidate.write.dto;
  // A create into the trash never reuses a record.
  if (status === 'trash') return NEVER;
  return allOf([
    ...comparedColumns(kind, candidate).map(([column, value]) => equal(column, value, context)),
    condition('p.status <> ?', 'trash'),
    readable('p', context.caller, context.nowUtc),
    ...(typeof slug === 'string' ? [condition('p.slug = ?', slug)] : []),
  ]);
}

function equal(column: string, value: SqlValue, { nowUtc }: RequestContext): SqlCondition {
  return column === 'status' ? inStatus('p', [value as PostStatus], nowUtc) : condition(`p.${column} = ?`, value);
}

/** Returns the columns in which an equal record must match: the sent fields as they would be stored, without empty ones. */
function comparedColumns(kind: LinkedPostKind, { write: { dto, publication }, row }: Candidate): [string, SqlValue][] {
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
 * Finds equal records among the creates of the same request, as `findEquals` does among stored records. It cannot compare
 * slugs, which are unknown before the insert.
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
    const sameName = this.byName.get(create.row.name_hash);
    if (sameName === undefined) this.byName.set(create.row.name_hash, [create]);
    else sameName.push(create);
  }

  /** Returns the first equal create, whatever the wanted slug. */
  findEqual(create: Candidate): Of | undefined {
    if (create.write.dto.status === 'trash') return undefined;
    const wanted = comparedColumns(this.kind, create);
    // Compares stored statuses, because no status has become due within one request.
    const sameName = this.byName.get(create.row.name_hash) ?? [];
    return sameName.find(({ row }) => wanted.every(([column, value]) => row[column] === value));
  }
}
