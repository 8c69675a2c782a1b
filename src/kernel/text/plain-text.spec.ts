import { Random } from '../../../test/support/random.js';
import { codePointLength, decodeEntities, plainText, withoutTags } from './plain-text.js';

describe('decodeEntities', () => {
  it.each([
    ['none', 'a < b "c"', 'a < b "c"'],
    ['named', '&amp;&lt;&gt;&quot;&apos;&eacute;&hellip;&nbsp;', `&<>"'é…\u00a0`],
    ['with a long name', '&CounterClockwiseContourIntegral;', '∳'],
    ['decimal and hexadecimal', '&#233;&#xe9;&#XE9;&#0233;', 'éééé'],
    ['beside quotes and tags', '"&lt;" <b title="&amp;">', '"<" <b title="&">'],
    ['only once', '&amp;lt;', '&lt;'],
    ['without a semicolon', '&copy, &eacute &#233 AT&T &amp', '&copy, &eacute &#233 AT&T &amp'],
    ['of an unknown name', '&foo; &notit;', '&foo; &notit;'],
    ['one directly behind the beginning of another', '&&amp;&am&amp;&#&amp;&#x&amp;', '&&&am&&#&&#x&'],
    ['for what is no character', '&#0;&#xd800;&#1114112;', '\ufffd\ufffd\ufffd'],
  ])('%s', (_title, text, expected) => {
    expect(decodeEntities(text)).toBe(expected);
  });
});

const MEGABYTE = 1_048_576;
const filledWith = (piece: string) => piece.repeat(Math.ceil(MEGABYTE / piece.length));

describe('plainText', () => {
  it.each([
    ['TXT-02: tags go, their text stays', '<b>Bold</b> title & more', 'Bold title & more'],
    ['TXT-02: entities stay as sent', 'A &amp; B', 'A &amp; B'],
    ['TXT-02: a lone < stays', '1 < 2', '1 < 2'],
    ['TXT-02: so does one before a digit', 'I <3 you', 'I <3 you'],
    ['TXT-02: quotes stay', `It's "q"`, `It's "q"`],
    ['TXT-02: a lone > stays', '3 > 2 & 2 > 1', '3 > 2 & 2 > 1'],
    ['TXT-02: a word that is no element stays', "c't <webdev>", "c't <webdev>"],
    ['TXT-02: in any letters and digits', '<Büro_2> <東> <x東京>', '<Büro_2> <東> <x東京>'],
    ['TXT-02: an element goes, in any case and of any kind', '<B>a<feImage>b<mi>c<MARQUEE>d<xmp>', 'abcd'],
    ['TXT-02: an attribute makes a tag', '<webdev onload=x>a<webdev/onload=x>b<webdev\tx>', 'ab'],
    ['TXT-02: so does a blank, and a slash', '<webdev >a<webdev/>b', 'ab'],
    ['TXT-02: an end tag is a tag, of whatever', '<webdev>a</webdev>', '<webdev>a'],
    ['TXT-02: so is a custom element', '<my-tag>a', 'a'],
    ['TXT-02: and what is more than a word', '<ann@example.com>a<a.b>b<x:y>c<!webdev>d<?webdev>', 'abcd'],
    ['TXT-02: a word that removing makes is one', '<<b>webdev> <web<b>dev>', '<webdev> dev>'],
    ['TXT-02: a word in <> around another', '<<webdev>script>', '<<webdev>script>'],
    ['TXT-02: a word never closed', '<webdev> <webdev', '<webdev> < webdev'],
    ['TXT-02: a word in a script', 'a<script>x <webdev> y</script>b', 'ab'],
    ['TXT-02: a word in a script that removing ends', 'a<script><webdev><<b>/script>b', 'ab'],
    ['TXT-12: a < before what is not closed', '<b><<b>i', '< i'],
    ['TXT-03: script goes with its content', 'Evil <script>x</script> t', 'Evil  t'],
    ['TXT-03: style too, in any case', 'a<STYLE type="x">b{}</Style >c', 'ac'],
    ['TXT-03: what looks like a tag inside does not hide the end', '<script>if (a<b) "<i"</script>z', 'z'],
    ['TXT-03: a name that only begins so hides nothing', '<scripted>x</scripted>', '<scripted>x'],
    ['TXT-03: nor does it end a script', '<script>a</scripted>b</script>c', 'c'],
    ['TXT-03: a script that never ends is a tag', 'the <script> tag', 'the  tag'],
    ['TXT-03: control characters become blanks', 'a\tb\r\nc\u0000d\u007fe\u009ff', 'a b  c d e f'],
    ['TXT-03: only tags leave nothing', '<b></b>', ''],
    ['TXT-03: only blanks leave nothing', '   ', ''],
    ['TXT-03: ends are trimmed, blanks inside kept', '  a  b  ', 'a  b'],
    ['TXT-10: lone surrogates', 'a\ud83db\udc00', 'a\ufffdb\ufffd'],
    ['TXT-10: emoji', '🎉🎈', '🎉🎈'],
    ['TXT-12: a script made by removing tags', 'x <<b>script>alert(1)<<b>/script>', 'x'],
    ['TXT-12: a tag never closed', '<img src=x onerror=alert(1) ', '< img src=x onerror=alert(1)'],
    ['TXT-12: several never closed', 'a <b </i <!x <?y', 'a < b < /i < !x < ?y'],
    ['TXT-12: tags in tags', '<<<i>b>b>x', 'x'],
    ['TXT-12: a tag reaches up to the next >', '<a title=">">x', '">x'],
    ['comments, declarations and instructions are tags', 'a<!-- b --><!doctype x><?php y ?>c', 'ac'],
    ['several hidden elements made by removing tags', 'a<<b>style>b<<b>/style>c<<b>style>d<<b>/style>e', 'ace'],
  ])('%s', (_title, value, expected) => {
    expect(plainText(value)).toBe(expected);
  });

  it.each([
    '<',
    '<a',
    '<<b>',
    '<script>',
    '</script ',
    '<script><style>',
    '<<b>script>',
    '<<b>script>x<<b>/script>',
    '<!--',
    '<b>x</b>',
    '<webdev>',
    '<<webdev>b>',
    '<webdev',
    '<<b>webdev>',
    '<script><webdev>',
  ])('processes a megabyte of %s in less than 2 seconds', (piece) => {
    expect(secondsFor(() => plainText(filledWith(piece)))).toBeLessThan(2);
  });

  it('processes nested tags in less than 2 seconds', () => {
    const half = MEGABYTE / 4;
    expect(secondsFor(() => plainText('<'.repeat(half) + 'b>'.repeat(half)))).toBeLessThan(2);
  });
});

test('TXT-02: cleaning clean text changes nothing', () => {
  const random = new Random(2);
  const pieces = [
    ...'<></!? a',
    'b',
    'script',
    '/script',
    'webdev',
    'my-tag',
    '<b>',
    '<webdev>',
    '<script>',
    '</script>',
    '\n',
  ];
  for (let times = 0; times < 20_000; times += 1) {
    const sent = Array.from({ length: random.between(1, 12) }, () => random.pick(pieces)).join('');
    const clean = plainText(sent);
    expect([sent, plainText(clean)]).toEqual([sent, clean]);
    const tags = clean.match(/<(?=[a-z/!?])[^>]*>?/gi) ?? [];
    expect([sent, tags.filter((tag) => !/^<\w+>$/.test(tag) || /^<(?:a|b|script)>$/.test(tag))]).toEqual([sent, []]);
  }
});

describe('withoutTags', () => {
  it('keeps line breaks, and blanks at both ends of the text', () => {
    expect(withoutTags(' <p>a<br />\nb</p> ')).toBe(' a\nb ');
  });
});

describe('codePointLength', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é東', 2],
    ['🎉🎈', 2],
    ['\ud83d', 1],
  ])('TXT-10: %j has %i code points', (text, expected) => {
    expect(codePointLength(text)).toBe(expected);
  });
});

function secondsFor(work: () => unknown): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}
