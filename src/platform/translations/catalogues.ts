import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** All languages except English. */
export const TRANSLATED: readonly string[] = ['de', 'fr'];

/**
 * Returns a function that gives the catalogue of a language, or undefined for English. A catalogue is the JSON file whose
 * URL is `start`, the language and `.json`. It is read on its first use, because most processes need none. Uses
 * `readFileSync`, because importing JSON causes a warning on Node 20.
 */
export function catalogues<Catalogue>(start: URL): (language: string) => Catalogue | undefined {
  const known = new Map<string, Catalogue>();
  return (language) => {
    if (!TRANSLATED.includes(language)) return undefined;
    const catalogue =
      known.get(language) ?? (JSON.parse(readFileSync(`${fileURLToPath(start)}${language}.json`, 'utf8')) as Catalogue);
    known.set(language, catalogue);
    return catalogue;
  };
}
