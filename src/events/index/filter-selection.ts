import { withImplied } from '../../kernel/time/date-window.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { statusesOf, statusWords } from '../../posts/post.access.js';
import { LINKED_NAMES, TERM_NAMES } from '../event.link-kinds.js';
import { type EventFilter, hiddenFlag, isRevealing } from '../filter/filter.js';
import type { EventIndex } from './event-index.js';
import type { Selection } from './event-selection.js';
import type { KeyKind } from './key-lists.js';

/** Returns what a filter asks for, in terms of the index. Only for filters that are `isIndexed` (filter.ts). */
export function selectionOf(
  index: EventIndex,
  filter: EventFilter,
  context: Pick<RequestContext, 'caller'>,
): Selection {
  const { params, start, end, termIds, nearVenueIds, found } = filter;
  const hidden = hiddenFlag(params);
  const group = (kind: KeyKind, ids: readonly number[] | undefined) =>
    ids === undefined ? [] : [numbersOf(index, kind, ids)];
  return {
    start: withImplied(start, end),
    end,
    statuses: statusesOf(statusWords(params.status, context)),
    isHidden: hidden === undefined ? undefined : hidden === 1,
    isFeatured: params.featured,
    isTicketed: params.ticketed,
    parentId: params.post_parent,
    ids: params.include,
    found,
    groups: [
      ...LINKED_NAMES.flatMap((name) => group(name, params[name])),
      ...group('venue', nearVenueIds),
      ...TERM_NAMES.flatMap((name) => group('term', termIds[name] && index.keys.terms.roots(termIds[name]))),
      ...(params.post_parent ? group('parent', [params.post_parent]) : []),
      ...(params.featured === true ? group('featured', [0]) : []),
      ...(params.ticketed === true ? group('ticketed', [0]) : []),
    ],
    isRevealing: isRevealing(filter),
    caller: context.caller,
  };
}

/** Returns the numbers of the lists of some keys. A key without events has none. */
function numbersOf(index: EventIndex, kind: KeyKind, ids: readonly number[]): ReadonlySet<number> {
  return new Set(ids.map((id) => index.keys.lists.numberOf(kind, id)).filter((number) => number !== undefined));
}
