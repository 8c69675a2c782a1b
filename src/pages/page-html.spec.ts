import { pageHtml } from './page-html.js';

/** A tag that only sanitize-html reads. Headings of the second level stay as they are. */
const UNUSUAL = '<h2>x</h2>';
const shown = (html: string) => pageHtml(html, 'Table');
const bySanitizer = (html: string) => shown(html + UNUSUAL).slice(0, -UNUSUAL.length);

test.each([
  '<p>Text &amp; <b>bold</b>, <em>more</em>.<br />\nLine &lt;b&gt;</p>\n<ul><li>One</li></ul>',
  '<p>See <a href="https://events.example/info?a=1&amp;b=2">here</a>, <a href="mailto:a@b.example">there</a>.</p>',
  '<blockquote><a href="tel:+331234">call</a></blockquote>',
])('descriptions of plain tags and links are shown as sanitize-html shows them: %s', (html) => {
  expect(shown(html)).toBe(bySanitizer(html));
});

test('every link tells its host nothing', () => {
  expect(shown('<p><a href="https://a.example/">a</a> <a href="/b" lang="de">b</a></p>')).toBe(
    '<p><a href="https://a.example/" rel="nofollow noreferrer">a</a> <a href="/b" lang="de" rel="nofollow noreferrer">b</a></p>',
  );
  expect(shown('<a href="https://a.example/">a</a>')).toBe(
    '<a href="https://a.example/" rel="nofollow noreferrer">a</a>',
  );
});

test.each([
  ['<a href="javascript:alert(1)">x</a>', '<a rel="nofollow noreferrer">x</a>'],
  [
    '<a href="https://a.example/" onclick="alert(1)">x</a>',
    '<a href="https://a.example/" rel="nofollow noreferrer">x</a>',
  ],
  [
    '<a href="https://a.example/"><script>alert(1)</script>x</a>',
    '<a href="https://a.example/" rel="nofollow noreferrer">x</a>',
  ],
  ['<p onclick="alert(1)">x</p>', '<p>x</p>'],
])('what is not stored by this service is cleaned: %s', (html, clean) => {
  expect(shown(html)).toBe(clean);
});
