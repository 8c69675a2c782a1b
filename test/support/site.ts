import type { Client, Reply, Sent } from './client.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** The headers of a program, which is redirected from pages to records. */
export const PROGRAM = { headers: { Accept: 'application/json' } };

/** Asks for a page as a browser does. */
export function visit(client: Client, path: string, sent: Sent = {}): Promise<Reply> {
  return client.raw(path, { ...sent, headers: { Accept: BROWSER, ...sent.headers } });
}

/** Returns the titles of the events of a page, in order. */
export function titlesOf({ text }: Reply): string[] {
  return [...text.matchAll(/<h3><a [^>]*>([^<]*)<\/a>/g)].map(([, title]) => title as string);
}

/** Returns the text of a page as a reader sees it: without tags, one blank between words. */
export function textOf({ text }: Reply): string {
  const body = text.slice(text.indexOf('<main'));
  return body
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
}

/** Returns all addresses of links, forms and files of a page. */
export function addressesOf({ text }: Reply): string[] {
  return [...text.matchAll(/ (?:href|action|src)="([^"]*)"/g)].map(([, href]) =>
    (href as string).replaceAll('&amp;', '&'),
  );
}
