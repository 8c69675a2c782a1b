import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LABELS, labelIn, labelsIn, OUR_LABELS, SWAGGER_UI_LABELS } from './labels.js';

const require = createRequire(import.meta.url);
const SWAGGER_UI = readFileSync(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'), 'utf8');
const OURS = ['api-page.ts', 'components.browser.js', 'document.browser.js']
  .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  .join();
/** A label that Swagger UI composes. */
const COMPOSED = "For '{}': {}.";

describe('labels of the page', () => {
  it.each(SWAGGER_UI_LABELS.filter((label) => label !== COMPOSED))('%s is still in Swagger UI', (label) => {
    for (const part of label.split('{}')) expect(SWAGGER_UI).toContain(part);
  });

  it.each(OUR_LABELS)('%s is still in our source', (label) => expect(OURS).toContain(label.replace('{}', '')));

  it.each(['de', 'fr'])('in %s are complete, with the same placeholders', (language) => {
    const texts = labelsIn(language);
    expect(Object.keys(texts)).toEqual([...LABELS]);
    for (const label of LABELS) {
      expect(texts[label]).not.toBe('');
      expect(texts[label]?.split('{}')).toHaveLength(label.split('{}').length);
    }
  });

  it('are in English those of the source, except for some of Swagger UI', () => {
    expect(Object.keys(labelsIn('en')).filter((label) => !SWAGGER_UI_LABELS.some((known) => known === label))).toEqual(
      [],
    );
    expect(labelIn('en', 'Language')).toBe('Language');
    expect(labelIn('de', 'Language')).toBe('Sprache');
  });
});
