import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LABELS, labelsIn } from './labels.js';

const require = createRequire(import.meta.url);
const SWAGGER_UI = readFileSync(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'), 'utf8');
/** Labels that Swagger UI composes, and our own. */
const COMPOSED = ['item', "For '{}': {}.", 'Service', 'Events', 'Venues', 'Organizers', 'Categories', 'Tags'];

describe('labels of Swagger UI', () => {
  it.each(LABELS.filter((label) => !COMPOSED.includes(label)))('%s is still in its source', (label) => {
    for (const part of label.split('{}')) expect(SWAGGER_UI).toContain(part);
  });

  it.each(['de', 'fr'])('in %s are complete, with the same placeholders', (language) => {
    const texts = labelsIn(language);
    expect(Object.keys(texts)).toEqual([...LABELS]);
    for (const label of LABELS) {
      expect(texts[label]).not.toBe('');
      expect(texts[label]?.split('{}')).toHaveLength(label.split('{}').length);
    }
  });

  it('are not translated in English', () => expect(labelsIn('en')).toEqual({}));
});
