import { readFileSync } from 'node:fs';
import { Environment } from '../../src/config/environment.js';

/** The settings of deploy/kalends.service. docs/systemd.md installs it. */
const UNIT = readFileSync('deploy/kalends.service', 'utf8');
const settings = new Map([...UNIT.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

describe('deploy/kalends.service', () => {
  const defaults = new Environment();

  test('waits for the end of running requests, and 5 seconds more', () => {
    expect(Number(settings.get('TimeoutStopSec'))).toBe(defaults.SHUTDOWN_DELAY + defaults.SHUTDOWN_TIMEOUT + 5);
  });

  test('allows more open files than connections', () => {
    expect(Number(settings.get('LimitNOFILE'))).toBeGreaterThan(defaults.MAX_CONNECTIONS);
  });

  test('writes only into the folder in which it runs', () => {
    expect([settings.get('ProtectSystem'), settings.get('WorkingDirectory')]).toEqual([
      'strict',
      `/var/lib/${settings.get('StateDirectory')}`,
    ]);
  });
});
