import { withKeys, textsWithKeys, translated } from './translation.js';

describe('translations', () => {
  it('find a text by its key, even if the English changes', () => {
    const changed = withKeys('requests', 'listEvents', { summary: 'List all of the events', example: 'summary' });
    expect(translated(changed, 'de')).toEqual({ summary: 'Termine auflisten', example: 'summary' });
    expect(translated(changed, 'en')).toBe(changed);
  });

  it('find the same text under another key, too', () => {
    for (const key of ['Nowhere.city', 'Venue.city']) withKeys('responses', key, 'a city');
    expect(translated({ description: 'a city' }, 'fr')).toEqual({ description: 'la ville' });
  });

  it('leave a text without a translation in English', () => {
    const unknown = withKeys('responses', 'Nowhere', { properties: { size: { description: 'how large it is' } } });
    expect(translated(unknown, 'de')).toEqual(unknown);
    expect(textsWithKeys()).toContainEqual(['how large it is', ['responses.Nowhere.size']]);
  });
});
