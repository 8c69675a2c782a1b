import { TABLES } from '../database/tables.js';
import { allOf, type Condition, condition, not } from '../kernel/condition.js';
import { inStatus, readable } from '../kernel/visibility.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { listed, statusWords } from '../posts/post.access.js';
import type { LinkedPostKind } from './linked-post.kind.js';
import type { LinkedPostParams } from './linked-post.params.js';

/** The rows `p` of a list, but for its search (linked-post.query.ts) and its event (linked-post.event.ts). */
export function linkedPostCondition(
  kind: LinkedPostKind,
  params: LinkedPostParams,
  context: RequestContext,
): Condition {
  return allOf([
    listed('p', statusWords(params.status, context), context),
    ...hasEvents(kind, params.has_events, context),
    ...(params.only_with_upcoming === true ? [hasUpcoming(kind, context)] : []),
  ]);
}

/** Linked to the event of this id. */
export function linkedTo({ linkTable, linkColumn }: LinkedPostKind, eventId: number): Condition {
  return condition(`p.id IN (SELECT l.${linkColumn} FROM ${linkTable} l WHERE l.event_id = ?)`, eventId);
}

/** Hidden events count here, drafts do not (contract VO-08). */
function hasEvents(kind: LinkedPostKind, wanted: boolean | undefined, { caller, nowUtc }: RequestContext): Condition[] {
  if (wanted === undefined) return [];
  const event = allOf([inStatus('e', ['publish', 'future', 'private'], nowUtc), readable('e', caller, nowUtc)]);
  const linked = linkedToAny(kind, event);
  return [wanted ? linked : not(linked)];
}

/** Drafts count here for those who may read them, hidden events do not (contract VO-10). */
function hasUpcoming(kind: LinkedPostKind, { caller, nowUtc }: RequestContext): Condition {
  const isUpcoming = condition('e.hide_from_listings = 0 AND e.status <> ? AND e.start_utc >= ?', 'trash', nowUtc);
  return linkedToAny(kind, allOf([isUpcoming, readable('e', caller, nowUtc)]));
}

function linkedToAny({ linkTable, linkColumn }: LinkedPostKind, { sql, params }: Condition): Condition {
  const links = `${linkTable} l JOIN ${TABLES.events} e ON e.id = l.event_id`;
  return { sql: `EXISTS (SELECT 1 FROM ${links} WHERE l.${linkColumn} = p.id AND ${sql})`, params };
}
