import { freeSlugs } from './free-slugs.js';
import { suffixedSlug } from './slug.js';

/** Looks for free slugs where `taken` are not, and tells how often it had to ask. */
async function look(wanted: readonly string[], taken: readonly string[]) {
  const others = new Set(taken);
  let questions = 0;
  const found = await freeSlugs(wanted, suffixedSlug, (slugs) => {
    questions += 1;
    return Promise.resolve(new Set(slugs.filter((slug) => others.has(slug))));
  });
  return { found, questions };
}

const numbered = (slug: string, count: number) => Array.from({ length: count }, (_, n) => suffixedSlug(slug, n + 1));

describe('freeSlugs', () => {
  it.each([
    ['a free one', ['a'], [], ['a']],
    ['TXT-07: a taken one', ['a'], ['a'], ['a-2']],
    ['the first gap', ['a'], ['a', 'a-2', 'a-4'], ['a-3']],
    ['several of one name', ['a', 'b', 'a', 'a'], ['a-2'], ['a', 'b', 'a-3', 'a-4']],
    ['one that another one is led to', ['a', 'a-2', 'a'], [], ['a', 'a-2', 'a-3']],
    ['none', [], [], []],
  ])('%s', async (_title, wanted, taken, expected) => {
    expect((await look(wanted, taken)).found).toEqual(expected);
  });

  it('never gives one twice, also where long ones are cut to the same', async () => {
    const long = ['x', 'y', 'z'].map((end) => 'a'.repeat(199) + end);
    const { found } = await look([...long, ...long, ...long], long);
    expect(found.slice().sort()).toEqual(
      numbered(long[0] as string, 10)
        .slice(1)
        .sort(),
    );
  });

  it.each([9, 64, 65, 128, 1000, 5000])('finds the first free one behind %d taken ones', async (count) => {
    const { found, questions } = await look(['a'], numbered('a', count));
    expect(found).toEqual([`a-${count + 1}`]);
    expect(questions).toBeLessThan(20);
  });

  it('asks no more often for many names than for one', async () => {
    const names = Array.from({ length: 50 }, (_, n) => `name${n}`);
    const taken = names.flatMap((name) => numbered(name, 100));
    const one = await look(['name0'], taken);
    const all = await look([...names, ...names], taken);
    expect(all.questions).toBe(one.questions);
    expect(all.found).toEqual([...names.map((name) => `${name}-101`), ...names.map((name) => `${name}-102`)]);
  });
});
