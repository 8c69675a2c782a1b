import { element, xmlDocument } from './xml.js';

const SCHEMA = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** A page that search engines may show. */
export interface IndexedPage {
  readonly url: string;
  /** The time of the last change, UTC. */
  readonly modifiedUtc?: string;
}

/** Returns the sitemap of sitemaps. */
export function sitemapIndex(urls: readonly string[]): string {
  return xmlDocument(
    element(
      'sitemapindex',
      { xmlns: SCHEMA },
      ...urls.map((text) => element('sitemap', {}, element('loc', {}, { text }))),
    ),
  );
}

export function sitemap(pages: readonly IndexedPage[]): string {
  const entries = pages.map(({ url: text, modifiedUtc }) => {
    const changed =
      modifiedUtc === undefined ? [] : [element('lastmod', {}, { text: `${modifiedUtc.replace(' ', 'T')}Z` })];
    return element('url', {}, element('loc', {}, { text }), ...changed);
  });
  return xmlDocument(element('urlset', { xmlns: SCHEMA }, ...entries));
}

/** Returns the rules for crawlers. Under an unknown host nothing may be indexed. */
export function robots(site: string, isKnownHost: boolean): string {
  if (!isKnownHost) return 'User-agent: *\nDisallow: /\n';
  const rules = ['/search/', '/embed/', '/subscribe/'].map(
    (path) => `Disallow: ${new URL(site).pathname.replace(/\/$/, '')}${path}`,
  );
  return ['User-agent: *', ...rules, '', `Sitemap: ${site}/sitemap.xml`, ''].join('\n');
}

/** Returns how browsers search this site (OpenSearch 1.1). */
export function openSearch(site: string, name: string, description: string): string {
  return xmlDocument(
    element(
      'OpenSearchDescription',
      { xmlns: 'http://a9.com/-/spec/opensearch/1.1/' },
      element('ShortName', {}, { text: [...name].slice(0, 16).join('') }),
      element('Description', {}, { text: [...description].slice(0, 1024).join('') }),
      element('InputEncoding', {}, { text: 'UTF-8' }),
      element('Url', { type: 'text/html', template: `${site}/search/?q={searchTerms}` }),
    ),
  );
}
