import { apiPage } from './api-page.js';

const MOUNT = '/calendar/events/v1';
const location = (path: string, languages = ['en', 'de']) => ({
  language: 'de',
  path,
  origin: 'https://example.com/team',
  mount: path.replace(/\/doc\/?$/, ''),
  mounts: new Map(languages.map((language) => [language, `/${language}${MOUNT}`])),
});
const linksOf = (html: string) => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href);

describe('the links of the page at /doc to other languages', () => {
  it.each([`${MOUNT}/doc`, `${MOUNT}/doc/`, `/de${MOUNT}/doc`, `/de${MOUNT}/doc/`])('lead from %s', (path) => {
    // The gateway adds /team, which the page need not know.
    const page = `https://example.com/team${path}`;
    expect(linksOf(apiPage(location(path))).map((href) => new URL(href, page).href)).toEqual([
      `https://example.com/team/en${MOUNT}/doc`,
      `https://example.com/team/de${MOUNT}/doc`,
    ]);
  });

  it('mark the language of the page', () => {
    expect(apiPage(location(`${MOUNT}/doc`))).toContain('hreflang="de" lang="de" aria-current="true">Deutsch</a>');
  });

  it('are missing if there is one language only', () => {
    expect(apiPage(location(`${MOUNT}/doc`, ['de']))).not.toContain('<nav');
  });
});
