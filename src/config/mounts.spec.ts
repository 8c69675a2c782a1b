import { Mounts } from './mounts.js';

const mounts = (settings: Partial<ConstructorParameters<typeof Mounts>[0]> = {}) =>
  new Mounts({ BASE_PATH: '', COMPAT_MOUNTS: ['/wp-json/tribe/events/v1'], LANGUAGES: ['en', 'de'], ...settings });

describe('Mounts', () => {
  it.each([
    ['/calendar/events/v1', '/calendar/events/v1', undefined, ''],
    ['/calendar/events/v1/', '/calendar/events/v1', undefined, '/'],
    ['/calendar/events/v1/events/5', '/calendar/events/v1', undefined, '/events/5'],
    ['/de/calendar/events/v1/events', '/de/calendar/events/v1', 'de', '/events'],
    ['/wp-json/tribe/events/v1/doc', '/wp-json/tribe/events/v1', undefined, '/doc'],
    ['/en/wp-json/tribe/events/v1', '/en/wp-json/tribe/events/v1', 'en', ''],
  ])('%s is below %s', (path, mount, language, rest) => {
    expect(mounts().find(path)).toEqual({ mount, language, rest });
  });

  it.each([
    '/',
    '/events',
    '/calendar/events/v12',
    '/calendar/events',
    '/Calendar/events/v1',
    '//calendar/events/v1',
    '/fr/calendar/events/v1',
    '/de/de/calendar/events/v1',
  ])('%s is below no mount', (path) => {
    expect(mounts().find(path)).toBeUndefined();
  });

  it('puts the base path before the canonical mount and the language before both', () => {
    const based = mounts({ BASE_PATH: '/api' });
    expect(based.canonical).toBe('/api/calendar/events/v1');
    expect(based.find('/de/api/calendar/events/v1/events')?.rest).toBe('/events');
    expect(based.find('/calendar/events/v1')).toBeUndefined();
  });

  it.each(['/api/calendar/events/v1', '/de/api/calendar/events/v1'])('gives %s in every language', (mount) => {
    expect([...mounts({ BASE_PATH: '/api' }).inLanguages(mount)]).toEqual([
      ['en', '/en/api/calendar/events/v1'],
      ['de', '/de/api/calendar/events/v1'],
    ]);
  });

  it.each<[string, readonly string[] | undefined]>([
    ['/wp-json', ['tribe/events/v1', 'other/x/v2', 'calendar/events/v1']],
    ['/wp-json/', ['tribe/events/v1', 'other/x/v2', 'calendar/events/v1']],
    ['/de/wp-json/', ['tribe/events/v1', 'other/x/v2', 'calendar/events/v1']],
    ['/shop/wp-json', ['tribe/events/v1']],
    ['/wp-json/wp/v2', undefined],
    ['/wp-json//', undefined],
    ['/fr/wp-json', undefined],
    ['/my-wp-json', undefined],
    ['/short/wp-json', undefined],
    ['/', undefined],
  ])('GEN-38: the namespaces below %s are %j', (path, namespaces) => {
    const names = ['/wp-json/tribe', '/wp-json/other/x/v2', '/shop/wp-json/tribe', '/my-wp-json/tribe'];
    const COMPAT_MOUNTS = [
      ...names.map((name) => (name.endsWith('v2') ? name : `${name}/events/v1`)),
      '/short/wp-json/x',
    ];
    expect(mounts({ BASE_PATH: '/wp-json', COMPAT_MOUNTS }).namespacesBelow(path)).toEqual(namespaces);
    expect(mounts({ BASE_PATH: '/wp-json', COMPAT_MOUNTS: [] }).namespacesBelow(path)).toBeUndefined();
  });

  it('matches the longer mount if one is below another', () => {
    const nested = mounts({ COMPAT_MOUNTS: ['/calendar', '/calendar/old'] });
    expect(nested.find('/calendar/old/events')).toMatchObject({ mount: '/calendar/old', rest: '/events' });
    expect(nested.find('/calendar/events/v1/events')).toMatchObject({ mount: '/calendar/events/v1', rest: '/events' });
    expect(nested.find('/calendar/events')).toMatchObject({ mount: '/calendar', rest: '/events' });
  });
});
