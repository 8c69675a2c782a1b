import { growth, MOST_GROWTH } from '../../../test/support/processor-time.js';
import { Random } from '../../../test/support/random.js';
import { cleanHtml, stripHtml, textOfHtml } from './html.js';

describe('stripHtml', () => {
  it.each([
    ['blocks', '<p>alpha</p><p>beta</p>', 'alpha beta'],
    ['blocks that stand apart', '<p>alpha </p>\n\n<p> beta</p>\n', 'alpha beta'],
    ['nested blocks', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', 'a b c'],
    ['a table', '<table><tr><th scope="col">a</th><td colspan="2">b</td></tr><tr><td>c</td></tr></table>', 'a b c'],
    ['a heading and a line', '<h2 class="x">a</h2>b<hr />c', 'a b c'],
    ['a line break', 'a<br />b<br />\nc', 'a b c'],
    ['elements in a line hold nothing apart', '<p><b>al</b>pha<span> be</span>ta</p>', 'alpha beta'],
    ['nor do those that only begin alike', '<p>a<pre>b</pre>c<del>d</del>e</p>', 'a b cde'],
    ['an element across blocks', '<b>a<p>b</p>c</b>', 'a b c'],
    ['an element that ends with a blank', '<p><b>a </b></p><p>b</p>', 'a b'],
    ['what looks like a block is text', '<p>1 &lt;p> 2</p>', '1 &lt;p> 2'],
    ['plain text stays as it is', ' a  b ', ' a  b '],
    ['nothing', '', ''],
  ])('EV-LIST-22: %s', (_title, html, text) => {
    expect(stripHtml(html)).toBe(text);
  });

  it.each(['<p>', '<p', '</p>', '<p>a</p>', '<br />', ' <p> ', '<p ', '<b>x</b><p>'])(
    'takes linear time for a megabyte of %j',
    async (piece) => {
      expect(await growth(piece.repeat(1_048_576 / piece.length), stripHtml, 1)).toBeLessThan(MOST_GROWTH);
    },
  );
});

const MEGABYTE = 1_048_576;
const filledWith = (piece: string) => piece.repeat(Math.ceil(MEGABYTE / piece.length));

const CASES: [title: string, value: string, expected: string][] = [
  ['TXT-04: script', 'a<script>x</script>b', '<p>ab</p>'],
  ['TXT-04: iframe', 'a<iframe src="//h">x</iframe>b', '<p>ab</p>'],
  ['TXT-04: event handler', '<b onclick="x()">a</b>', '<p><b>a</b></p>'],
  ['TXT-04: script URL', '<a href="javascript:x()">a</a>', '<p><a>a</a></p>'],
  ['TXT-04: svg, math and others with content', elements('style object template noscript svg math'), '<p>ab</p>'],
  ['TXT-04: a script hidden by control characters', 'a<scr\0ipt>x</script>b', '<p>ab</p>'],
  ['TXT-05: paragraphs', 'a\n\nb\nc', '<p>a</p>\n<p>b<br />\nc</p>'],
  ['TXT-05: block elements', '<ul><li>x</li></ul>', '<ul><li>x</li></ul>'],
  [
    'TXT-05: unclosed elements',
    "<p><b>1 &lt; 2<br><img src='/a.png' alt=b>",
    '<p><b>1 &lt; 2<br /><img src="/a.png" alt="b" /></b></p>',
  ],
  ['TXT-05: control characters', 'a\0b\u007fc\u0085d', '<p>abcd</p>'],
  ['TXT-05: tab', 'a\tb', '<p>a\tb</p>'],
  ['TXT-05: line ends', 'a\r\nb\rc\r\n\r\n\n d ', '<p>a<br />\nb<br />\nc</p>\n<p>d</p>'],
  ['TXT-05: nothing but blanks', ' \r\n ', ''],
  ['TXT-05: nothing but dropped tags', '<foo></foo>', ''],
  ['TXT-05: block element without a paragraph', 'a\n\nb<hr>', 'a\n\nb<hr />'],
  ['TXT-05: br makes no block', '<br>a', '<p><br />a</p>'],
  ['TXT-05: an element across paragraphs', '<b>a\n\nb</b>', '<p><b>a</b></p>\n<p>b</p>'],
  ['TXT-05: line ends in an attribute', '<b title="x\n\ny">a</b>', '<p><b title="x\n\ny">a</b></p>'],
  ['TXT-05: crossed elements', '<b><i>a</b></i>', '<p><b><i>a</i></b></p>'],
  ['TXT-05: an end tag alone', 'a</b>', '<p>a</p>'],
  ['TXT-05: lone surrogates', 'a\ud83d', '<p>a\ufffd</p>'],
  [
    'TXT-12: id, URL without scheme, target',
    '<a id="n" href="//h" target="_blank">x</a>',
    '<p><a target="_blank" rel="noopener">x</a></p>',
  ],
  ['TXT-12: target _self', '<a target="_Self">x</a>', '<p><a target="_Self">x</a></p>'],
  [
    'TXT-12: another rel beside a target',
    '<a rel="opener" target="w" title="t">x</a>',
    '<p><a rel="noopener" target="w" title="t">x</a></p>',
  ],
  ['rel without target', '<a rel="nofollow" href="/">x</a>', '<p><a rel="nofollow" href="/">x</a></p>'],
  ['entities', '&eacute; &#39; &#xE9; &nbsp; &lt;b&gt;', '<p>&eacute; &#39; &#xE9; &nbsp; &lt;b&gt;</p>'],
  ['stray & and <', 'a & b < c <3 AT&T &copy 1', '<p>a &amp; b &lt; c &lt;3 AT&amp;T &amp;copy 1</p>'],
  ['a > and quotes', `a > b 'c' "d"`, `<p>a > b 'c' "d"</p>`],
  ['a tag that is never closed', 'if x <y then', '<p>if x &lt;y then</p>'],
  [
    'an attribute that holds quotes and the like',
    `<b title='"a" <i> & b &amp; &eacute;'>x</b>`,
    '<p><b title="&quot;a&quot; &lt;i&gt; &amp; b &amp; &eacute;">x</b></p>',
  ],
  ['attributes without a value', '<img alt src=/a>', '<p><img alt="" src="/a" /></p>'],
  ['attributes without quotes', '<td COLSPAN=2 width=3>x</td>', '<td colspan="2">x</td>'],
  ['comments and the like', 'a<!-- b --><!doctype x><?y?><![CDATA[z]]>c', '<p>ac</p>'],
  ['the text of other tags', '<font color=red>a <blink>b</blink></font>', '<p>a b</p>'],
  ['the text of a title', '<title>a <b>b</b></title>', '<p>a &lt;b>b&lt;/b></p>'],
  ['tags that held paragraphs apart', '<p><foo><p>x</p></foo></p>', '<p></p><p>x</p><p></p>'],
];

describe('cleanHtml', () => {
  it.each(CASES)('%s', (_title, value, expected) => {
    expect(cleanHtml(value)).toBe(expected);
  });

  it.each(CASES)('TXT-05: cleaning again changes nothing: %s', (_title, value) => {
    const stored = cleanHtml(value) ?? '';
    expect(cleanHtml(stored)).toBe(stored);
  });

  it.each(['http://h/', 'HTTPS://h/?a=1:2', 'mailto:a@b.example', 'tel:+1', '/a:b', 'a/b', '?a:b', '#a:b', ''])(
    'TXT-04: keeps the URL %j',
    (url) => {
      expect(cleanHtml(`<img src="${url}">`)).toBe(`<p><img src="${url}" /></p>`);
    },
  );

  it.each([
    'javascript:x',
    ' JaVaScRiPt :x',
    'java\nscript:x',
    'java&#115;cript:x',
    '&#x6A;avascript&colon;x',
    'java&Tab;script&NewLine;:x',
    'data:text/html,x',
    'ftp://h/',
    'vbscript:x',
    '//h/',
    '\\\\h/',
    '/\t/h/',
    '&sol;&#47;h/',
  ])('TXT-04: removes the URL %j', (url) => {
    expect(cleanHtml(`<p><a href="${url}">x</a></p>`)).toBe('<p><a>x</a></p>');
  });

  it.each(['<', '<b>', '<div>', '<p>', '<svg/>', '<script>', '<!--', '&', '<b>x</b>', 'a\n'])(
    'takes linear time for a megabyte of %j',
    async (piece) => {
      expect(await growth(filledWith(piece), cleanHtml, 1)).toBeLessThan(MOST_GROWTH);
    },
  );

  it.each([
    ['elements', `${'<b>'.repeat(100_000)}a${'</i>'.repeat(100_000)}`],
    ['dropped elements', '<foo>'.repeat(513)],
    ['elements, with the paragraph', `${'<b>'.repeat(512)}a`],
    ['blocks', '<div>'.repeat(513)],
    ['svg elements that the parser never closes', '<svg/>'.repeat(10_001)],
    ['elements side by side', '<br>'.repeat(30_001)],
  ])('returns undefined beyond the limits of depth and number: %s', (_title, value) => {
    expect(cleanHtml(value)).toBeUndefined();
  });

  it.each([
    ['elements', '<b>'.repeat(511)],
    ['blocks', '<div>'.repeat(512)],
    ['elements that close each other', '<p>'.repeat(600)],
    ['the maximum number of elements', '<br>'.repeat(30_000)],
  ])('accepts HTML within the limits: %s', (_title, value) => {
    expect(cleanHtml(value)?.length).toBeGreaterThan(value.length);
  });
});

describe('TXT-05: cleaning clean HTML changes nothing', () => {
  const NAMES = 'p b a ul li table tr td br hr img pre div h1 foo svg script title textarea option span'.split(' ');
  const PIECES = [
    ...NAMES.flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} `, `<${name}/>`]),
    ...[
      'a',
      ' ',
      '\n',
      '\n\n',
      '<',
      '>',
      '&',
      '&lt;',
      '&amp;',
      '&#60;',
      '"',
      "'",
      '=',
      '/',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
    ],
    ...['title="x"', 'href=//h', "title='>'", 'title="\n\n"', 'target=_blank', 'style=x', '\0', '‹'],
  ];
  const random = new Random(5);

  it('for random pieces', () => {
    for (let times = 0; times < 1500; times += 1) {
      const sent = Array.from({ length: random.between(1, 14) }, () => random.pick(PIECES)).join('');
      const clean = cleanHtml(sent);
      expect([sent, cleanHtml(clean ?? 'rejected')]).toEqual([sent, clean]);
    }
  });

  it('for elements close to the maximum depth', () => {
    for (const name of ['b', 'div', 'ul', 'p', 'foo']) {
      for (const depth of [510, 511, 512, 513, 514]) {
        for (const text of ['x', 'x\n\ny']) {
          const sent = `<${name}>`.repeat(depth) + text;
          const clean = cleanHtml(sent);
          expect([name, depth, clean && cleanHtml(clean)]).toEqual([name, depth, clean]);
        }
      }
    }
  });
});

describe('textOfHtml', () => {
  it.each([
    ['removes tags', '<p>Big <b>hall</b></p>', 'Big hall'],
    ['decodes entities after removing tags', '<p>1 &lt;b&gt; &amp; &eacute;</p>', '1 <b> & é'],
    [
      'separates blocks and line breaks by a space',
      '<p>Big hall.</p><p>Near<br />\nthe station.</p>\n<p>c&nbsp;</p>',
      'Big hall. Near the station. c',
    ],
    ['keeps line ends, trims both ends', '<pre>a\nb&nbsp;</pre>\n', 'a\nb'],
    ['empty text', '', ''],
  ])('%s', (_title, html, expected) => {
    expect(textOfHtml(html)).toBe(expected);
  });

  it('accepts > in an attribute', () => {
    expect(textOfHtml(cleanHtml('<b title="a > b">c > d</b>') ?? '')).toBe('c > d');
  });
});

function elements(names: string): string {
  return `a${names
    .split(' ')
    .map((name) => `<${name}><p>x</p></${name}>`)
    .join('')}b`;
}
