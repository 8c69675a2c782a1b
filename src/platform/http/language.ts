const WISH = /^([a-z]{1,8})(?:-[a-z0-9-]*)?(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** The best of the offered languages for an Accept-Language header; the first of them is the default. */
export function negotiateLanguage(header: string | undefined, offered: readonly string[]): string {
  const wishes = (header ?? '')
    .split(',', 20)
    .map((wish) => WISH.exec(wish.trim()))
    .filter((wish) => wish !== null)
    .map(([, language = '', quality = '1']) => ({ language: language.toLowerCase(), quality: Number(quality) }))
    .filter(({ language, quality }) => quality > 0 && offered.includes(language));
  const best = wishes.toSorted((a, b) => b.quality - a.quality)[0];
  return best?.language ?? offered[0] ?? 'en';
}
