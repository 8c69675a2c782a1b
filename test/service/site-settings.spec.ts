import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOwnApp } from '../support/app.js';
import { emptyFolder, runServer } from '../support/process.js';
import { addressesOf, visit } from '../support/site.js';

const FOLDER = emptyFolder();
/** Writes a file and returns its path. */
function file(name: string, content: string | Buffer): string {
  const path = join(FOLDER, name);
  writeFileSync(path, content);
  return path;
}
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4z"/></svg>';

test('PAGE-42: SITE_NAME, SITE_LOGO, SITE_CSS and SITE_LINKS are on every page', async () => {
  const css = ':root { --k-accent: light-dark(#1b4f8f, #8ab8f0) }';
  const service = await startOwnApp({
    SITE_NAME: 'Our <Dates>',
    SITE_LOGO: file('logo.svg', SVG),
    SITE_CSS: file('site.css', css),
    SITE_LINKS: 'Imprint=https://x.example/i?a=1,Mail=mailto:us@x.example',
  });
  try {
    for (const path of ['/', '/search/', '/events/month/2026-12/', '/event/nothing/']) {
      const page = await visit(service.client, path);
      expect([path, page.text]).toEqual([path, expect.stringContaining('<span>Our &lt;Dates></span>')]);
      const addresses = addressesOf(page);
      expect(addresses).toEqual(expect.arrayContaining(['https://x.example/i?a=1', 'mailto:us@x.example']));
      const [ours = '', theirs = '', logo = ''] = addresses.filter((href) => href.startsWith('/pages/'));
      // The style sheet of the operator comes after ours, so that its tokens win.
      expect([ours, theirs, logo]).toEqual([
        expect.stringMatching(/^\/pages\/pages-\w+\.css$/),
        expect.stringMatching(/^\/pages\/site-\w+\.css$/),
        expect.stringMatching(/^\/pages\/logo-\w+\.svg$/),
      ]);
      expect((await visit(service.client, theirs)).text).toBe(css);
      const image = await visit(service.client, logo);
      expect([image.text, image.headers['content-type'], image.headers['content-security-policy']]).toEqual([
        SVG,
        'image/svg+xml',
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      ]);
      expect(page.text).toMatch(new RegExp(`<img src="${logo}" alt(=""| )`));
    }
  } finally {
    await service.close();
  }
});

test('PAGE-42: a logo without the name has the name as its text', async () => {
  const service = await startOwnApp({ SITE_NAME: 'Ours', SITE_LOGO: file('only.svg', SVG), SITE_NAME_SHOWN: 'off' });
  try {
    const { text } = await visit(service.client, '/search/');
    expect(text).toMatch(/<img src="\/pages\/logo-\w+\.svg" alt="Ours"/);
    expect(text).not.toContain('<span>Ours</span>');
  } finally {
    await service.close();
  }
});

test.each([
  ['SITE_LOGO', '/nowhere/logo.svg'],
  ['SITE_LOGO', file('logo.gif', 'GIF89a')],
  ['SITE_LOGO', file('large.png', Buffer.alloc(100_001))],
  ['SITE_CSS', '/nowhere/site.css'],
  ['SITE_CSS', file('large.css', ' '.repeat(65 * 1024))],
  ['SITE_CSS', file('latin.css', Buffer.from([0x2f, 0x2a, 0xe9, 0x2a, 0x2f]))],
  ['SITE_LINKS', 'Imprint=javascript:alert(1)'],
  ['SITE_LINKS', 'https://x.example/'],
  ['SITE_LINKS', Array.from({ length: 9 }, (_, n) => `L${n}=https://x.example/`).join(',')],
  ['SITE_REGION', 'Utopia'],
  ['EMBED_ORIGINS', 'example.com'],
])(
  'PAGE-42: %s=%s stops the start with a message that names it',
  async (name, value) => {
    const { code, stderr } = await runServer({ [name]: value });
    expect([code, stderr]).toEqual([1, expect.stringContaining(name)]);
  },
  120_000,
);

test.each([
  ['*', '*'],
  ['none', "'none'"],
  ['', "'none'"],
  ['https://app.example.com,http://localhost:8080', 'https://app.example.com http://localhost:8080'],
])('PAGE-36: EMBED_ORIGINS=%s lets %s frame /embed/, and nobody the other pages', async (origins, ancestors) => {
  const service = await startOwnApp({ EMBED_ORIGINS: origins });
  try {
    const policyOf = async (path: string) =>
      (await visit(service.client, path)).headers['content-security-policy']?.split('; ') ?? [];
    expect((await policyOf('/embed/')).filter((rule) => /^(frame-ancestors|script-src) /.test(rule))).toEqual([
      "script-src 'self'",
      `frame-ancestors ${ancestors}`,
    ]);
    for (const path of ['/', '/search/', '/event/nothing/', '/events/month/2026-12/', '/subscribe/']) {
      const rules = await policyOf(path);
      expect([path, rules]).toEqual([path, expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'"])]);
      expect([path, rules.filter((rule) => rule.startsWith('script-src'))]).toEqual([path, []]);
    }
  } finally {
    await service.close();
  }
});
