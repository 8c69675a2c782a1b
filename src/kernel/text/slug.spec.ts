import { freeSlugs, lookupSlug, slugify, suffixedSlug, trashedSlug } from './slug.js';

/** Finds free slugs other than `taken`, and counts the calls of `findTaken`. */
async function find(wanted: readonly string[], taken: readonly string[]) {
  const others = new Set(taken);
  let calls = 0;
  const found = await freeSlugs(wanted, suffixedSlug, (slugs) => {
    calls += 1;
    return Promise.resolve(new Set(slugs.filter((slug) => others.has(slug))));
  });
  return { found, calls };
}

const numbered = (slug: string, count: number) => Array.from({ length: count }, (_, n) => suffixedSlug(slug, n + 1));

describe('freeSlugs', () => {
  it.each([
    ['a free one', ['a'], [], ['a']],
    ['TXT-07: a taken one', ['a'], ['a'], ['a-2']],
    ['the first gap', ['a'], ['a', 'a-2', 'a-4'], ['a-3']],
    ['several of one name', ['a', 'b', 'a', 'a'], ['a-2'], ['a', 'b', 'a-3', 'a-4']],
    ['a wanted slug that another search would reach', ['a', 'a-2', 'a'], [], ['a', 'a-2', 'a-3']],
    ['no slug', [], [], []],
  ])('%s', async (_title, wanted, taken, expected) => {
    expect((await find(wanted, taken)).found).toEqual(expected);
  });

  it('never returns a slug twice, even if long slugs are truncated to the same text', async () => {
    const long = ['x', 'y', 'z'].map((end) => 'a'.repeat(199) + end);
    const { found } = await find([...long, ...long, ...long], long);
    expect(found.slice().sort()).toEqual(
      numbered(long[0] as string, 10)
        .slice(1)
        .sort(),
    );
  });

  it.each([9, 64, 65, 128, 1000, 5000])('finds the first free slug after %d taken ones', async (count) => {
    const { found, calls } = await find(['a'], numbered('a', count));
    expect(found).toEqual([`a-${count + 1}`]);
    expect(calls).toBeLessThan(20);
  });

  it('needs no more calls for many names than for one', async () => {
    const names = Array.from({ length: 50 }, (_, n) => `name${n}`);
    const taken = names.flatMap((name) => numbered(name, 100));
    const one = await find(['name0'], taken);
    const all = await find([...names, ...names], taken);
    expect(all.calls).toBe(one.calls);
    expect(all.found).toEqual([...names.map((name) => `${name}-101`), ...names.map((name) => `${name}-102`)]);
  });
});

describe('slugify', () => {
  it.each([
    ['Fête de la Musique – München', 'fete-de-la-musique-munchen'],
    [`It's "quoted" & <done>`, 'its-quoted'],
    ['A &amp; B &lt;x&gt;', 'a-b-x'],
    ['a/b', 'a-b'],
    ['With  Spaces', 'with-spaces'],
    ['UPPER', 'upper'],
    ['東京イベント', '東京イベント'],
    ['Party 🎉🎈', 'party'],
    ['100% %s', '100-s'],
    ['v1.2', 'v1-2'],
    ['!!!', ''],
  ])('TXT-06: %j gives %j', (text, expected) => {
    expect(slugify(text)).toBe(expected);
  });

  it.each([
    ['TXT-03: a script', 'Evil <script>x</script> t', 'evil-t'],
    [
      'the letters that do not decompose',
      'Straße Ægir Œuvre Øre Łódź Đorđe Þór ılık',
      'strasse-aegir-oeuvre-ore-lodz-dorde-thor-ilik',
    ],
    ['those with a diacritic besides', 'Ǽ Ǿ', 'ae-o'],
    ['decomposed letters', 'E\u0301te\u0301', 'ete'],
    ['a capital whose small form is two characters', 'İstanbul', 'istanbul'],
    ['other scripts keep their marks', 'Йога が ά हिन्दी', 'йога-が-ά-हिन्दी'],
    ['dashes of every kind', 'a\u2010b\u2013c\u2014d\u2212e\u301cf', 'a-b-c-d-e-f'],
    ['blanks of every kind', 'a\u00a0b\u3000c\td&nbsp;e', 'a-b-c-d-e'],
    ['backslash and underscore', 'a\\b_c', 'a-b_c'],
    ['runs and ends', ' --a -- b-- ', 'a-b'],
    ['emoji with a presentation selector', 'I ❤️ NY 1️⃣', 'i-ny-1'],
    ['a trashed slug', 'x__trashed-2', 'x__trashed-2'],
    ['nothing', '', ''],
  ])('%s', (_title, text, expected) => {
    expect(slugify(text)).toBe(expected);
  });

  it.each([
    ['TXT-07: its first 200 characters', 'a'.repeat(250), 'a'.repeat(200)],
    ['counted in code points', '𠮷'.repeat(201), '𠮷'.repeat(200)],
    ['trimmed after that', `${'a'.repeat(199)} b`, 'a'.repeat(199)],
  ])('truncates a long slug: %s', (_title, text, expected) => {
    expect(slugify(text)).toBe(expected);
  });

  it.each(['Fête', 'ΟΔΟΣ 1', 'İ', '東京 が', 'ΑΣ.'])('TXT-08: lookupSlug does not change the slug of %j', (text) => {
    expect(lookupSlug(slugify(text))).toBe(slugify(text));
  });
});

describe('suffixedSlug', () => {
  it.each([
    ['the first is the slug itself', 'slug', 1, 'slug'],
    ['TXT-07: appended', 'slug', 2, 'slug-2'],
    ['cut', 'a'.repeat(200), 10, `${'a'.repeat(197)}-10`],
    ['cut at a dash', `${'a'.repeat(197)}-bc`, 2, `${'a'.repeat(197)}-2`],
    ['cut between characters', '𠮷'.repeat(200), 2, `${'𠮷'.repeat(198)}-2`],
  ])('%s', (_title, slug, n, expected) => {
    expect(suffixedSlug(slug, n)).toBe(expected);
  });
});

describe('trashedSlug', () => {
  it.each([
    ['EV-DEL-01: appended', 't', 1, 't__trashed'],
    ['the next of the same name', 't', 2, 't__trashed-2'],
    ['never cut', 'a'.repeat(200), 3, `${'a'.repeat(200)}__trashed-3`],
  ])('%s', (_title, slug, n, expected) => {
    expect(trashedSlug(slug, n)).toBe(expected);
  });
});

describe('lookupSlug', () => {
  it.each([
    ['upper case', 'SLUG', 'slug'],
    ['decomposed', 'が'.normalize('NFD'), 'が'],
    ['accents count', 'Fête', 'fête'],
    ['nothing else is changed', 'a b/c', 'a b/c'],
  ])('TXT-08: %s', (_title, text, expected) => {
    expect(lookupSlug(text)).toBe(expected);
  });
});
