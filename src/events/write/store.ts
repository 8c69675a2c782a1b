import { TABLES } from '../../database/sql/tables.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { ALWAYS, type SqlCondition, condition } from '../../kernel/sql-condition.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { recordPostChange } from '../../posts/post.change.js';
import { deletePost } from '../../posts/post.store.js';
import type { EventWriteHooks, NumberedWrite } from '../hooks/write-hook.js';
import type { EventRow } from '../event.entity.js';
import { EVENT } from '../event.kind.js';
import { byName, byTermName, type EventLinkIds, LINKED, LINKED_NAMES, TERMS } from '../event.link-kinds.js';
import { lockParents } from './parent.js';

/** The link tables by field name. Categories and tags share a table, but are replaced separately. */
const TABLE_OF = {
  ...byName((name) => ({ table: LINKED[name].kind.linkTable, column: LINKED[name].kind.linkColumn })),
  ...byTermName((name) => ({ table: TABLES.eventTerms, column: 'term_id', taxonomy: TERMS[name].taxonomy })),
} as const;
type LinkName = keyof typeof TABLE_OF;

/** Inserts the links of new events: one statement per link table for any number of events. */
export function insertLinks(tx: Transaction, events: readonly { id: number; links: EventLinkIds }[]): void {
  const names = Object.keys(TABLE_OF) as LinkName[];
  for (const table of new Set(names.map((name) => TABLE_OF[name].table))) {
    const kinds = names.filter((name) => TABLE_OF[name].table === table);
    tx.insertLater(
      table,
      events.flatMap(({ id, links }) => kinds.flatMap((name) => linkRows(name, id, links[name] ?? []))),
    );
  }
}

/** Replaces the sent links of an event. Others stay unchanged. */
export function replaceLinks(tx: Transaction, id: number, links: EventLinkIds): void {
  for (const name of Object.keys(TABLE_OF) as LinkName[]) {
    const target = TABLE_OF[name];
    if (links[name] === undefined) continue;
    const { sql, params } = 'taxonomy' in target ? ofTaxonomy(target.taxonomy) : ALWAYS;
    tx.later(`DELETE FROM ${target.table} WHERE event_id = ? AND ${sql}`, [id, ...params]);
  }
  insertLinks(tx, [{ id, links }]);
}

/** Deletes an event permanently, with its links. Its children become top-level. Its line can be imported again. */
export async function deleteEvent(
  tx: Transaction,
  event: EventRow,
  hooks: EventWriteHooks,
  context: RequestContext,
): Promise<void> {
  const { id } = event;
  const linkTables = LINKED_NAMES.map((name) => LINKED[name].kind.linkTable);
  for (const table of [...linkTables, TABLES.eventTerms, TABLES.importedLines]) {
    tx.later(`DELETE FROM ${table} WHERE event_id = ?`, [id]);
  }
  await releaseChildren(tx, id, hooks, context);
  deletePost(tx, EVENT, event, context);
}

async function releaseChildren(
  tx: Transaction,
  id: number,
  hooks: EventWriteHooks,
  context: RequestContext,
): Promise<void> {
  const { nowUtc } = context;
  await lockParents(tx);
  const children = await tx.query<Pick<EventRow, 'id' | 'public_from' | 'author_id' | 'hide_from_listings'>>(
    `SELECT id, public_from, author_id, hide_from_listings FROM ${TABLES.events} WHERE post_parent = ?`,
    [id],
  );
  if (children.length === 0) return;
  await hooks.around(
    tx,
    () => childWrites(tx, id, context),
    () => {
      tx.later(
        `UPDATE ${TABLES.events} SET post_parent = 0, modified_utc = ?, revision = revision + 1 WHERE post_parent = ?`,
        [nowUtc, id],
      );
      for (const child of children) {
        recordPostChange(tx, 'event.updated', child.id, { before: child, after: child }, context);
      }
    },
  );
}

/** Returns the updates of children that become top-level, and locks them. */
async function childWrites(tx: Transaction, parent: number, context: RequestContext): Promise<NumberedWrite[]> {
  const rows = await tx.query<EventRow>(
    `SELECT * FROM ${TABLES.events} WHERE post_parent = ? ORDER BY id${tx.dialect.forUpdate}`,
    [parent],
  );
  return rows.map((before) => {
    return { kind: 'update', id: before.id, before, after: { ...before, post_parent: 0 }, links: {}, context };
  });
}

function linkRows(name: LinkName, event_id: number, ids: readonly number[]) {
  const { table, column } = TABLE_OF[name];
  // Only venues and organizers have a position, because responses sort terms by name.
  return ids.map((id, position) => ({ event_id, [column]: id, ...(table === TABLES.eventTerms ? {} : { position }) }));
}

function ofTaxonomy(taxonomy: string): SqlCondition {
  return condition(`term_id IN (SELECT id FROM ${TABLES.terms} WHERE taxonomy = ?)`, taxonomy);
}
