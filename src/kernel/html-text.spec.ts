import { growth, MOST_GROWTH } from '../../test/support/processor-time.js';
import { textIn } from './html-text.js';

describe('textIn', () => {
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
    expect(textIn(html)).toBe(text);
  });

  it.each(['<p>', '<p', '</p>', '<p>a</p>', '<br />', ' <p> ', '<p ', '<b>x</b><p>'])(
    'needs no more than in proportion for a megabyte of %j',
    async (piece) => {
      expect(await growth(piece.repeat(1_048_576 / piece.length), textIn, 1)).toBeLessThan(MOST_GROWTH);
    },
  );
});
