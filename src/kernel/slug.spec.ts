import { lookupSlug, slugify, suffixedSlug, trashedSlug } from './slug.js';

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
  ])('cuts a long one: %s', (_title, text, expected) => {
    expect(slugify(text)).toBe(expected);
  });

  it.each(['Fête', 'ΟΔΟΣ 1', 'İ', '東京 が', 'ΑΣ.'])('TXT-08: the slug of %j is found by itself', (text) => {
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
