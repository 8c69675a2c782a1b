import { named, namedTexts, translated } from './translation.js';

describe('translations', () => {
  it('know a text by its place, whatever it says', () => {
    const changed = named('requests', 'listEvents', { summary: 'List all of the events', example: 'summary' });
    expect(translated(changed, 'de')).toEqual({ summary: 'Termine auflisten', example: 'summary' });
    expect(translated(changed, 'en')).toBe(changed);
  });

  it('know the same text at another place, too', () => {
    for (const key of ['Nowhere.city', 'Venue.city']) named('responses', key, 'a city');
    expect(translated({ description: 'a city' }, 'fr')).toEqual({ description: 'la ville' });
  });

  it('leave a text in English that no catalogue has', () => {
    const unknown = named('responses', 'Nowhere', { properties: { size: { description: 'how large it is' } } });
    expect(translated(unknown, 'de')).toEqual(unknown);
    expect(namedTexts()).toContainEqual(['how large it is', ['responses.Nowhere.size']]);
  });
});
