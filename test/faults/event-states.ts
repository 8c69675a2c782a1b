import type { Random } from '../support/random.js';

/** The state that a client gives an event. Links are names, in alphabetical order. */
export interface EventState {
  readonly title: string;
  readonly venues: readonly string[];
  readonly organizers: readonly string[];
  readonly categories: readonly string[];
  readonly tags: readonly string[];
}

export const LINKS = ['venues', 'organizers', 'categories', 'tags'] as const;

/** The state number `version` of the event that `identity` names. */
export function eventState(random: Random, identity: string, version: number): EventState {
  return {
    title: `${identity} v${version}`,
    venues: some(random, 'Hall', 20, 2),
    organizers: some(random, 'Host', 20, 2),
    categories: some(random, 'Category', 8, 3),
    tags: some(random, 'Tag', 12, 3),
  };
}

/** The next state, which differs in its title only. */
export function renamed(state: EventState): EventState {
  const { identity, version } = readTitle(state.title);
  return { ...state, title: `${identity} v${version + 1}` };
}

/** Returns the identity and the version that a title contains. */
export function readTitle(title: string): { identity: string; version: number } {
  const [, identity = title, version = '0'] = /^(.*) v(\d+)$/.exec(title) ?? [];
  return { identity, version: Number(version) };
}

/** The body of the POST or PATCH that brings an event into a state. */
export function bodyOf({ title, venues, organizers, categories, tags }: EventState): object {
  return {
    title,
    start_date: '2027-03-10 20:00',
    end_date: '2027-03-10 23:00',
    venue: venues.map((venue) => ({ venue })),
    organizer: organizers.map((organizer) => ({ organizer })),
    categories,
    tags,
  };
}

/** Returns the state in a response. */
export function stateIn(event: Record<string, unknown>): EventState {
  const names = (list: unknown, name: string) =>
    [list]
      .flat()
      .map((item) => (item as Record<string, string>)[name] ?? '')
      .sort();
  return {
    title: event.title as string,
    venues: names(event.venue, 'venue'),
    organizers: names(event.organizer, 'organizer'),
    categories: names(event.categories, 'name'),
    tags: names(event.tags, 'name'),
  };
}

export function isSameState(one: EventState, other: EventState): boolean {
  return one.title === other.title && LINKS.every((kind) => one[kind].join() === other[kind].join());
}

/** Returns one to `most` of `count` names. */
function some(random: Random, word: string, count: number, most: number): string[] {
  const names = Array.from({ length: random.between(1, most) }, () => `${word} ${random.between(1, count)}`);
  return [...new Set(names)].sort();
}
