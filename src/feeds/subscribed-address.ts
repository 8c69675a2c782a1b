/** A feed that subscribers of a calendar of The Events Calendar have. */
export type SubscribedFeed =
  | { readonly kind: 'all' }
  | { readonly kind: 'event' | 'venue' | 'organizer' | 'category' | 'tag'; readonly slug: string };

const SINGLE = /^\/event\/([^/]+)\/ical\/?$/;
const LISTS = /^\/events(?:\/list)?\/?$/;
const RECORD = /^\/(event|venue|organizer|tag|events\/category)\/([^/]+)\/?$/;
const KINDS: Readonly<Record<string, Exclude<SubscribedFeed['kind'], 'all'>>> = {
  event: 'event',
  venue: 'venue',
  organizer: 'organizer',
  tag: 'tag',
  'events/category': 'category',
};

/**
 * Returns the feed at an address of The Events Calendar, such as `/events/category/music/?ical=1` (ical 1). Its slug is
 * percent-encoded, as in the path. `languages`: the prefixes that a path may have.
 */
export function subscribedFeed(path: string, query: string, languages: readonly string[]): SubscribedFeed | undefined {
  const rest = withoutLanguage(path, languages);
  const [, single] = SINGLE.exec(rest) ?? [];
  if (single !== undefined) return { kind: 'event', slug: single };
  // Most requests end here.
  if (!query.includes('ical=1')) return undefined;
  const params = new URLSearchParams(query);
  if (params.get('ical') !== '1' && params.get('outlook-ical') !== '1') return undefined;
  if (LISTS.test(rest) || (rest === '/' && params.get('post_type') === 'tribe_events')) return { kind: 'all' };
  const [, name = '', slug] = RECORD.exec(rest) ?? [];
  const kind = KINDS[name];
  return kind === undefined || slug === undefined ? undefined : { kind, slug };
}

function withoutLanguage(path: string, languages: readonly string[]): string {
  const [, language = '', rest = ''] = /^\/([a-z]{2})(\/.*)$/.exec(path) ?? [];
  return languages.includes(language) ? rest : path;
}
