import type { Transaction } from '../database/transaction.js';
import { allOf, type Condition, condition } from '../kernel/condition.js';
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

/** The record that a create would only repeat (contract 11.3, "Reuse"; VO-15, VO-16). */
export async function findEqual(
  tx: Transaction,
  kind: LinkedPostKind,
  write: LinkedPostWrite,
  { values, imageId }: { readonly values: Columns; readonly imageId: number | null },
  context: RequestContext,
): Promise<number | undefined> {
  // No record outside the trash is equal to one that is to be in it.
  if (write.dto.status === 'trash') return undefined;
  const { sql, params } = allOf([
    ...equal('p.name_hash', values.name_hash),
    condition('p.status <> ?', 'trash'),
    readable('p', context.caller, context.nowUtc),
    ...equalColumns(kind, write, values),
    ...equalPublication(write, context),
    ...equal('p.author_id', write.dto.author),
    ...equal('p.slug', write.dto.slug),
    ...equal('p.image_id', imageId),
  ]);
  const [row] = await tx.query<{ id: number }>(
    `SELECT p.id FROM ${kind.table} p WHERE ${sql} ORDER BY p.id LIMIT 1`,
    params,
  );
  return row?.id;
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
