import { TABLES } from '../database/sql/tables.js';
import type { Transaction } from '../database/connection/transaction.js';
import { nameKey, searchText } from '../kernel/text/case-folding.js';
import { slugify } from '../kernel/text/slug.js';
import { Problems } from '../errors/problems.js';
import { checkIfMatch } from '../platform/http/responses/record-reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { checkTexts } from '../platform/http/fields/stored-texts.js';
import type { TermFields } from './term.dto.js';
import { UNCOUNTED } from './term.counts.js';
import type { TermKind } from './term.kind.js';
import type { FoundTerm } from './term.lookup.js';
import { findBranches, getTerm, type TermRecord } from './term.query.js';
import { checkTermIds } from './term.filter.js';
import { freeSlug, lockTerms, mustBeNewName, mustBeNewSlug } from './term.uniqueness.js';

/** Terms have no drafts and no author: every caller may know of their changes. */
const LISTED = { before: true, after: true, ownerId: 0 };

/** Creates a term and returns its id, slug and name key. */
export async function insertTerm(
  tx: Transaction,
  kind: TermKind,
  fields: TermFields,
  context: RequestContext,
): Promise<FoundTerm> {
  await lockTerms(tx, kind);
  await mustBeValidParent(tx, kind, fields.parent);
  await mustBeNewName(tx, kind, fields.name ?? '', fields.parent ?? 0);
  return addTerm(tx, kind, fields, context);
}

/**
 * Returns the existing term with the slug and name of an exported one, else creates it. A name alone does not identify a
 * term, because names may occur twice (contract TERM-17).
 */
export async function importTerm(
  tx: Transaction,
  kind: TermKind,
  fields: TermFields,
  context: RequestContext,
): Promise<TermRecord> {
  await lockTerms(tx, kind);
  await mustBeValidParent(tx, kind, fields.parent);
  const name = fields.name ?? '';
  const [existing] = await tx.query<{ id: number }>(
    `SELECT id FROM ${TABLES.terms} WHERE taxonomy = ? AND slug = ? AND name_key = ?`,
    [kind.taxonomy, fields.slug ?? slugify(name), nameKey(name)],
  );
  const { id } = existing ?? (await addTerm(tx, kind, fields, context));
  return getTerm(tx, kind, id, UNCOUNTED);
}

/** Inserts a term, with a number after its slug if another term has that slug. Expects `lockTerms`. */
async function addTerm(
  tx: Transaction,
  kind: TermKind,
  { name = '', description, slug: sent, parent }: TermFields,
  { caller, nowUtc }: RequestContext,
): Promise<FoundTerm> {
  // Without a slug, the id becomes the slug once it is known. Until then the slug is '', which is free under the lock.
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
  tx.recordChange(`${kind.noun}.created`, id, caller.userId, { ...LISTED, before: false });
  return { id, slug, name_key: nameKey(name) };
}

/** Changes the sent fields. Without any field it changes nothing, not even `modified_utc` (contract 5.2). */
export async function updateTerm(
  tx: Transaction,
  kind: TermKind,
  id: number,
  dto: TermFields,
  context: RequestContext,
): Promise<void> {
  await lockTerms(tx, kind);
  const term = await getTerm(tx, kind, id, UNCOUNTED);
  checkIfMatch(context, term.revision);
  if (Object.values(dto).every((value) => value === undefined)) return;
  const problems = new Problems([]);
  checkTexts(dto, term, context, problems);
  problems.throwIfAny();
  const { name, description, parent } = merged(term, dto);
  await mustBeValidParent(tx, kind, dto.parent, id);
  if (name !== term.name || parent !== term.parent) await mustBeNewName(tx, kind, name, parent, id);
  const columns = textColumns(name, await changedSlug(tx, kind, term, dto.slug, name));
  const change = { modified_utc: context.nowUtc, revision: term.revision + 1 };
  await tx.update(TABLES.terms, id, { ...columns, description, parent, ...change });
  tx.recordChange(`${kind.noun}.updated`, id, context.caller.userId, LISTED);
}

/** Locks a term that is to be deleted. Throws if there is none, or if it has another revision than the caller names. */
export async function lockTermToDelete(
  tx: Transaction,
  kind: TermKind,
  id: number,
  context: RequestContext,
): Promise<TermRecord> {
  await lockTerms(tx, kind);
  const term = await getTerm(tx, kind, id, UNCOUNTED);
  checkIfMatch(context, term.revision);
  return term;
}

/** Deletes a locked term. Its children move up, its events lose it (contract TERM-17). */
export async function deleteTerm(
  tx: Transaction,
  kind: TermKind,
  term: TermRecord,
  context: RequestContext,
): Promise<void> {
  const { id } = term;
  await moveChildrenUp(tx, kind, term, context);
  // The term first: this waits for writes of events that share-lock it, whose links the next statement then deletes.
  await tx.execute(`DELETE FROM ${TABLES.terms} WHERE id = ?`, [id]);
  await tx.execute(`DELETE FROM ${TABLES.eventTerms} WHERE term_id = ?`, [id]);
  tx.recordChange(`${kind.noun}.deleted`, id, context.caller.userId, { ...LISTED, after: false });
}

/** Throws if a parent is unknown, or is the term `ownId` itself or one of its descendants. */
async function mustBeValidParent(
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

/** Returns the slug after an update. Throws if another term has a sent slug. null makes a slug from the name. */
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

/** Moves the children of a term to its parent. They keep their names, even if a term there has the same name. */
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
  for (const child of children) tx.recordChange(`${kind.noun}.updated`, child.id, caller.userId, LISTED);
}

function textColumns(name: string, slug: string) {
  return { name, name_key: nameKey(name), slug, search_text: searchText([name, slug]) };
}
