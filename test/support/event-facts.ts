import { byName } from '../../src/events/event.link-kinds.js';
import type { EventFacts } from '../../src/events/index/event-facts.js';

/** Facts of an event that is public, lasts a minute and has no links. */
export function factsOf(id: number, start: number, further: Partial<EventFacts> = {}): EventFacts {
  return {
    id,
    start,
    end: start + 60,
    publicFrom: 0,
    status: 'publish',
    trashedFrom: null,
    isHidden: false,
    isFeatured: false,
    isTicketed: false,
    isProtected: false,
    authorId: 1,
    parentId: 0,
    linkedIds: byName(() => []),
    termIds: [],
    ...further,
  };
}
