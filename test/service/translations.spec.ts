import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { TRANSLATED } from '../../src/platform/translations/catalogues.js';
import type { textsWithKeys } from '../../src/platform/translations/translation.js';

/** Prints the texts of the service. Its own process knows no texts of the modules that other tests declare. */
const PRINT_TEXTS = `
  import { previewApp } from './dist/create-app.js';
  import { openApiDocument } from './dist/docs/openapi.js';
  import { textsWithKeys } from './dist/platform/translations/translation.js';
  const app = await previewApp();
  // Some texts are registered only when the document is built.
  openApiDocument(app, []);
  await app.close();
  console.log(JSON.stringify(textsWithKeys()));
`;

/** The keys of a catalogue, as `requests.listEvents`. */
function linesOf(language: string): string[] {
  const file = new URL(`../../src/platform/translations/${language}.json`, import.meta.url);
  const sections = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>;
  return Object.entries(sections).flatMap(([section, lines]) => Object.keys(lines).map((key) => `${section}.${key}`));
}

describe('DOC-08: catalogues', () => {
  let texts: ReturnType<typeof textsWithKeys>;
  beforeAll(() => {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', PRINT_TEXTS], { encoding: 'utf8' });
    texts = JSON.parse(output) as typeof texts;
  });

  it('cover more than 200 texts', () => expect(texts.length).toBeGreaterThan(200));

  it('a key names one text', () => {
    const keys = texts.flatMap(([, places]) => places);
    expect(keys.filter((key, place) => keys.indexOf(key) !== place)).toEqual([]);
  });

  it.each(TRANSLATED)('in %s every text has one line', (language) => {
    const lines = new Set(linesOf(language));
    const counted = texts.map(([text, places]) => [text, places.filter((key) => lines.has(key)).length]);
    expect(counted.filter(([, count]) => count !== 1)).toEqual([]);
  });

  it.each(TRANSLATED)('in %s every line belongs to a text', (language) => {
    const known = new Set(texts.flatMap(([, places]) => places));
    expect(linesOf(language).filter((key) => !known.has(key))).toEqual([]);
  });
});
