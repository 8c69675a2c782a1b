import { decodeEntities } from './entities.js';

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
