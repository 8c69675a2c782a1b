import { cleanHtml } from './html.js';
import { hasMarkup, readableText } from './readable-text.js';

test.each([
  ['<p>Doors at 7.</p>\n<p>Bring friends.</p>', 'Doors at 7.\n\nBring friends.'],
  ['<p>One<br />\ntwo<br />three</p>', 'One\ntwo\nthree'],
  ['<p>a<br /><br /><br />b</p>', 'a\n\nb'],
  ['<ul><li>One</li><li><p>Two</p></li></ul><p>End</p>', '- One\n- Two\n\nEnd'],
  ['<p>List:</p><ol>\n<li>One <b>bold</b> word</li>\n<li>Two</li>\n</ol>', 'List:\n\n- One bold word\n- Two'],
  ['<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>', 'A B\n1 2'],
  [
    '<p>See <a href="https://example.com/a?b=1&amp;c=2">the page</a>.</p>',
    'See the page (https://example.com/a?b=1&c=2).',
  ],
  ['<a href="https://example.com/">https://example.com/</a>', 'https://example.com/'],
  ['<p>Write to <a href="mailto:a@b.example">a@b.example</a> now</p>', 'Write to a@b.example now'],
  ['<a href="https://example.com/"><img src="x.png" alt="A hall" /></a>', 'A hall (https://example.com/)'],
  ['<p>x<img src="x.png" /><a href="/y"></a></p>', 'x/y'],
  ['<p><img src="x.png" alt="Logo &amp; name" /> after</p>', 'Logo & name after'],
  ['<p>Caf&eacute; &amp; bar &lt;b&gt; 5 > 4&nbsp;!</p>', 'Café & bar <b> 5 > 4 !'],
  ['<pre>a\n  b\tc\n\n\nd</pre>after', 'a\n  b c\n\nd\n\nafter'],
  ['<h2>Title</h2><div><div>Text</div></div><hr /><blockquote>Said</blockquote>', 'Title\n\nText\n\nSaid'],
  ['<dl><dt>Term</dt><dd>Meaning</dd></dl>', 'Term\nMeaning'],
  ['<p>one <i>two</i>three</p>', 'one twothree'],
  ['', ''],
])('ICS-18: readableText of %j', (html, text) => {
  expect(readableText(html)).toBe(text);
});

test('cuts after 20,000 code points', () => {
  expect(readableText(`<p>${'😀'.repeat(20_000)}</p>`)).toBe('😀'.repeat(20_000));
  expect(readableText(`<p>${'😀'.repeat(20_001)}</p>`)).toBe(`${'😀'.repeat(20_000)}…`);
  expect(readableText(`<p>${'a'.repeat(20_000)}</p>`)).toBe('a'.repeat(20_000));
  expect(readableText('<p>word</p>'.repeat(20_000))).toHaveLength(20_001);
});

test.each([
  ['<p>a<br />b</p>', false],
  ['plain', false],
  ['<p class="x">a</p>', false],
  ['<p>a <b>b</b></p>', true],
  ['<pre>a</pre>', true],
  ['<ul><li>a</li></ul>', true],
])('hasMarkup of %j is %s', (html, expected) => expect(hasMarkup(html)).toBe(expected));

test('takes linear time on hostile HTML', () => {
  const hostile = ['<a href="x">', '<br />', '<li>', '<td>', 'a ', '</a>', '<p></p>', '&amp;'];
  for (const part of hostile) {
    const html = cleanHtml(part.repeat(20_000)) ?? part.repeat(20_000);
    const start = performance.now();
    readableText(html);
    expect(performance.now() - start).toBeLessThan(2_000);
  }
});
