import { negotiateLanguage } from './request-context.stage.js';

describe('negotiateLanguage', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['DE-at, en;q=0.5', 'de'],
    ['en;q=0.5, fr;q=0.9', 'fr'],
    ['es, fr;q=0.1', 'fr'],
    ['es', 'en'],
    ['*', 'en'],
    ['de;q=0, fr;q=0.001', 'fr'],
    ['de;Q=0.2, fr ; q=0.3', 'fr'],
    ['de;q=5, fr', 'fr'],
    ['x'.repeat(10_000), 'en'],
    [`${'es,'.repeat(1000)}de`, 'en'],
  ])('Accept-Language: %s', (header, expected) => {
    expect(negotiateLanguage(header, ['en', 'de', 'fr'])).toBe(expected);
  });

  it('falls back to the first offered language', () => {
    expect(negotiateLanguage('it', ['fr', 'de'])).toBe('fr');
  });
});
