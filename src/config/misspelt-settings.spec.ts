import { settingNames } from './environment.js';
import { settingWarnings } from './misspelt-settings.js';

describe('settingWarnings', () => {
  it.each([
    ['PROT', 'PORT'],
    ['PORTS', 'PORT'],
    ['port', 'PORT'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
  ])('names the setting that %s in the environment means: %s', (name, meant) => {
    expect(settingWarnings([name], [])).toEqual([`${name} is no setting. Did you mean ${meant}?`]);
  });

  it.each(['LANGUAGE', 'HOSTNAME', 'HOSTTYPE', 'PATH', 'HOME', 'PWD', 'PORTAL', 'NODE_ENV', 'OTEL_SERVICE_NAME', 'TZ'])(
    'does not warn of %s in the environment',
    (name) => {
      expect(settingWarnings([name], [])).toEqual([]);
    },
  );

  it('warns of every name in .env that is no setting', () => {
    expect(settingWarnings([], ['PROT', 'COLOUR', 'LANGUAGE', 'NODE_ENV', 'PORT'])).toEqual([
      '.env: PROT is no setting. Did you mean PORT?',
      '.env: COLOUR is no setting. It has no effect.',
      '.env: LANGUAGE is no setting. Did you mean LANGUAGES?',
    ]);
  });

  it('does not warn of any setting', () => {
    expect(settingWarnings(settingNames(), settingNames())).toEqual([]);
  });
});
