import { TABLES } from '../database/sql/tables.js';
import type { Transaction } from '../database/connection/transaction.js';
import { nameKey, searchText } from '../kernel/text/case-folding.js';
import { slugify } from '../kernel/text/slug.js';
import { Problems } from '../errors/problems.js';
import { checkIfMatch } from '../platform/http/responses/record-reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { checkTexts } from '../platform/http/fields/stored-texts.js';
import type { TermFields } from './term.dto.js';
import { SCHEDULED_TERMS, TERM_COUNTS } from './term.counts.js';
import type { TermKind } from './term.kind.js';
import type { FoundTerm } from './term.lookup.js';
import { findBranches, getTerm, type TermRecord } from './term.query.js';
import { checkTermIds } from './term.filter.js';
import { freeSlug, lockTerms, mustBeNewName, mustBeNewSlug } from './term.uniqueness.js';

/** Creates a term and answers what it is found by. */
export async function insertTerm(
  tx: Transaction,
  kind: TermKind,
  fields: TermFields,
  context: RequestContext,
): Promise<FoundTerm> {
  await lockTerms(tx, kind);
  await mustFit(tx, kind, fields.parent);
  await mustBeNewName(tx, kind, fields.name ?? '', fields.parent ?? 0);
  return addTerm(tx, kind, fields, context);
}

/**
 * The term that an export tells of, which its slug says: the one of that slug and name, else a new one, since names may
 * be there twice (contract TERM-17).
 */
export async function bringTerm(
  tx: Transaction,
  kind: TermKind,
  fields: TermFields,
  context: RequestContext,
): Promise<TermRecord> {
  await lockTerms(tx, kind);
  await mustFit(tx, kind, fields.parent);
  const name = fields.name ?? '';
  const [there] = await tx.query<{ id: number }>(
    `SELECT id FROM ${TABLES.terms} WHERE taxonomy = ? AND slug = ? AND name_key = ?`,
    [kind.taxonomy, fields.slug ?? slugify(name), nameKey(name)],
  );
  const { id } = there ?? (await addTerm(tx, kind, fields, context));
  return getTerm(tx, kind, id, context.nowUtc);
}

/** Its slug, if another term has that one, gets a number. The terms of the kind are locked. */
async function addTerm(
  tx: Transaction,
  kind: TermKind,
  { name = '', description, slug: sent, parent }: TermFields,
  { caller, nowUtc }: RequestContext,
): Promise<FoundTerm> {
  // Where nothing makes a slug the id does, once it is known; under the lock '' is free until then.
  const made = await freeSlug(tx, kind, sent ?? slugify(name));
  const id = await tx.insert(TABLES.terms, {
    taxonomy: kind.taxonomy,
    ...textColumns(name, made),
    description: description ?? '',
    parent: parent ?? 0,
    modified_utc: nowUtc,
    revision: 1,
  });
  const slug = made || (await freeSlug(tx, kind, String(id), id));
  if (slug !== made) await tx.update(TABLES.terms, id, textColumns(name, slug));
  tx.note(`${kind.noun}.created`, id, caller.userId);
  return { id, slug, name_key: nameKey(name) };
}

/** Changes what was sent; without any field nothing, not even the time of the last change (contract 5.2). */
export async function updateTerm(
  tx: Transaction,
  kind: TermKind,
  id: number,
  dto: TermFields,
  context: RequestContext,
): Promise<void> {
  await lockTerms(tx, kind);
  const term = await getTerm(tx, kind, id, context.nowUtc);
  checkIfMatch(context, term.revision);
  if (Object.values(dto).every((value) => value === undefined)) return;
  const problems = new Problems([]);
  checkTexts(dto, term, context, problems);
  problems.throwIfAny();
  const { name, description, parent } = merged(term, dto);
  await mustFit(tx, kind, dto.parent, id);
  if (name !== term.name || parent !== term.parent) await mustBeNewName(tx, kind, name, parent, id);
  const columns = textColumns(name, await changedSlug(tx, kind, term, dto.slug, name));
  const change = { modified_utc: context.nowUtc, revision: term.revision + 1 };
  await tx.update(TABLES.terms, id, { ...columns, description, parent, ...change });
  tx.note(`${kind.noun}.updated`, id, context.caller.userId);
}

/** Deletes a term and answers its last state; its children move up, its events lose it (contract TERM-17). */
export async function deleteTerm(
  tx: Transaction,
  kind: TermKind,
  id: number,
  context: RequestContext,
): Promise<TermRecord> {
  await lockTerms(tx, kind);
  const term = await getTerm(tx, kind, id, context.nowUtc);
  checkIfMatch(context, term.revision);
  await moveChildrenUp(tx, kind, term, context);
  // The term first: an event that is being written shares it, and its links are there to be deleted afterwards.
  await tx.execute(`DELETE FROM ${TABLES.terms} WHERE id = ?`, [id]);
  await tx.execute(`DELETE FROM ${TABLES.eventTerms} WHERE term_id = ?`, [id]);
  tx.note(`${kind.noun}.deleted`, id, context.caller.userId);
  // Counts belong to the one who holds the version.
  await tx.holdVersion();
  for (const { table } of [TERM_COUNTS, SCHEDULED_TERMS]) {
    await tx.execute(`DELETE FROM ${table} WHERE term_id = ?`, [id]);
  }
  return term;
}

/** Refuses a parent that is unknown or, of the term with `ownId`, the term itself or below it. */
async function mustFit(
  tx: Transaction,
  kind: TermKind,
  parent: number | null | undefined,
  ownId?: number,
): Promise<void> {
  if (!parent) return;
  const problems = new Problems([]);
  await checkTermIds(tx, kind, { parent: [parent] }, problems);
  if (ownId !== undefined && (await findBranches(tx, [ownId])).includes(parent)) {
    problems.add('parent', 'rest_not_allowed', 'has a value you are not allowed to use.');
  }
  problems.throwIfAny();
}

function merged(term: TermRecord, dto: TermFields) {
  return {
    name: dto.name ?? term.name,
    description: dto.description === undefined ? term.description : (dto.description ?? ''),
    parent: dto.parent === undefined ? term.parent : (dto.parent ?? 0),
  };
}

/** A sent slug is taken or refused; null makes one of the name, as on creation. */
async function changedSlug(
  tx: Transaction,
  kind: TermKind,
  term: TermRecord,
  sent: string | null | undefined,
  name: string,
): Promise<string> {
  if (sent === undefined || sent === term.slug) return term.slug;
  if (sent === null) return freeSlug(tx, kind, slugify(name) || String(term.id), term.id);
  await mustBeNewSlug(tx, kind, sent, term.id);
  return sent;
}

/** Each with its name, even if that is taken there. */
async function moveChildrenUp(
  tx: Transaction,
  kind: TermKind,
  { id, parent }: TermRecord,
  { caller, nowUtc }: RequestContext,
): Promise<void> {
  const children = await tx.query<{ id: number }>(`SELECT id FROM ${TABLES.terms} WHERE parent = ?`, [id]);
  if (children.length === 0) return;
  await tx.execute(
    `UPDATE ${TABLES.terms} SET parent = ?, modified_utc = ?, revision = revision + 1 WHERE parent = ?`,
    [parent, nowUtc, id],
  );
  for (const child of children) tx.note(`${kind.noun}.updated`, child.id, caller.userId);
}

function textColumns(name: string, slug: string) {
  return { name, name_key: nameKey(name), slug, search_text: searchText([name, slug]) };
}
