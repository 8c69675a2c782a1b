import type { Transaction } from '../database/transaction.js';
import { allOf, type Condition, condition, NEVER } from '../kernel/condition.js';
import { inStatus, readable } from '../kernel/visibility.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { newPublication } from '../posts/post.publication.js';
import type { LinkedPostDto } from './linked-post.dto.js';
import type { Columns, LinkedPostKind } from './linked-post.kind.js';
import { nameHash, nameOf, sentColumns } from './linked-post.values.js';
import type { LinkedPostWrite } from './linked-post.write.js';

/** Names share 4,096 locks a kind: a table of locks that grows with every name would never end. */
const LOCK_DIGITS = 3;

/** The lock on the name of a create: equal ones that come at the same time wait for each other (contract VO-15). */
export function lockOf(kind: LinkedPostKind, dto: LinkedPostDto): string {
  return `${kind.noun} ${nameHash(nameOf(dto, kind) ?? '').slice(0, LOCK_DIGITS)}`;
}

/** A create whose columns are known. */
export interface Candidate {
  readonly write: LinkedPostWrite;
  readonly values: Columns;
  readonly imageId: number | null;
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

function equalTo(kind: LinkedPostKind, { write, values, imageId }: Candidate, context: RequestContext): Condition {
  // No record outside the trash is equal to one that is to be in it.
  if (write.dto.status === 'trash') return NEVER;
  return allOf([
    ...equal('p.name_hash', values.name_hash),
    condition('p.status <> ?', 'trash'),
    readable('p', context.caller, context.nowUtc),
    ...equalColumns(kind, write, values),
    ...equalPublication(write, context),
    ...equal('p.author_id', write.dto.author),
    ...equal('p.slug', write.dto.slug),
    ...equal('p.image_id', imageId),
  ]);
}

/** Sent fields as a write would store them; empty ones do not count. */
function equalColumns(kind: LinkedPostKind, { dto }: LinkedPostWrite, values: Columns): Condition[] {
  const sent = Object.keys(sentColumns(kind, dto)).filter((column) => values[column] !== '');
  return sent.flatMap((column) => equal(`p.${column}`, values[column]));
}

function equalPublication({ dto, publication }: LinkedPostWrite, context: RequestContext): Condition[] {
  const { status, date_utc } = newPublication(dto, publication, context);
  const isDated = publication.date !== undefined || publication.dateUtc !== undefined;
  return [
    ...(dto.status === undefined ? [] : [inStatus('p', [status], context.nowUtc)]),
    ...equal('p.date_utc', isDated ? date_utc : undefined),
  ];
}

function equal(column: string, value: string | number | null | undefined): Condition[] {
  return value === undefined || value === null ? [] : [condition(`${column} = ?`, value)];
}
