import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** All languages except English. */
export const TRANSLATED: readonly string[] = ['de', 'fr'];

/**
 * Reads the catalogue of each language: the JSON file whose URL is `start`, the language and `.json`. Uses
 * `readFileSync`, because importing JSON causes a warning on Node 20.
 */
export function readCatalogues<Catalogue>(start: URL): Readonly<Record<string, Catalogue>> {
  const entries = TRANSLATED.map((language) => {
    const text = readFileSync(`${fileURLToPath(start)}${language}.json`, 'utf8');
    return [language, JSON.parse(text) as Catalogue] as const;
  });
  return Object.fromEntries(entries);
}
