import type { SitePath } from '../platform/http/routing/site-paths.js';

const FILTERS = ['category', 'tag', 'venue', 'organizer'] as const;
const EMBED = ['view', 'month', ...FILTERS, 'limit', 'theme'] as const;
const page = (name: string, path: string, query: readonly string[] = []) => ({ name, path, query });

/** The paths of the website (pages P2). A term of the path comes before a page of the same form. */
export const PAGE_PATHS = [
  { ...page('list', '/', ['page']), redirects: true },
  page('listAlias', '/events/', ['page']),
  page('past', '/events/past/', ['page']),
  page('thisMonth', '/events/month/'),
  page('month', '/events/month/:month(\\d{4}-\\d{2})/', FILTERS),
  page('day', '/events/day/:day(\\d{4}-\\d{2}-\\d{2})/', FILTERS),
  page('categories', '/events/categories/'),
  { ...page('category', '/events/category/:slug/', ['page']), redirects: true },
  page('categoryPast', '/events/category/:slug/past/', ['page']),
  { ...page('tag', '/tag/:slug/', ['page']), redirects: true },
  page('tagPast', '/tag/:slug/past/', ['page']),
  { ...page('venue', '/venue/:slug/', ['page']), redirects: true },
  page('venuePast', '/venue/:slug/past/', ['page']),
  { ...page('organizer', '/organizer/:slug/', ['page']), redirects: true },
  page('organizerPast', '/organizer/:slug/past/', ['page']),
  { ...page('event', '/event/:slug/'), redirects: true, takesPost: true },
  page('search', '/search/', ['q', 'past', 'page']),
  page('subscribe', '/subscribe/', FILTERS),
  page('embed', '/embed/', EMBED),
  page('atom', '/events.atom', ['category', 'tag']),
  page('sitemap', '/sitemap.xml'),
  page('sitemapPart', '/sitemap/:part(\\d{1,4}).xml'),
  page('robots', '/robots.txt'),
  page('openSearch', '/opensearch.xml'),
  page('file', '/pages/:name'),
  page('file', '/favicon.svg'),
  page('file', '/favicon.ico'),
  page('file', '/embed.js'),
  page('file', '/embed-frame.js'),
] as const satisfies readonly SitePath[];

export type PageName = (typeof PAGE_PATHS)[number]['name'];

/** The paths while there are no pages: redirects to the records (contract 1.1). A website at SITE_URL has those of records. */
export function redirectPaths(hasWebsite: boolean): readonly SitePath[] {
  return PAGE_PATHS.filter((path) => 'redirects' in path && (path.path === '/' || !hasWebsite)).map((path) => ({
    name: path.name,
    path: path.path,
    redirects: true,
    isRedirectOnly: true,
  }));
}
