import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Environment, readEnvironment } from '../../src/config/environment.js';

const EXAMPLE = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
const SOURCE = readFileSync(new URL('../../src/config/environment.ts', import.meta.url), 'utf8');

/** The settings of the example with their values, in its order. */
const settings = new Map(
  [...EXAMPLE.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']): [string, string] => [name, value]),
);

test('.env.example names exactly the settings of the Environment class, in its order', () => {
  const declared = [...SOURCE.matchAll(/^ {2}([A-Z_]+)\??: /gm)].map(([, name]) => name);
  expect([...settings.keys()]).toEqual(declared);
  expect(declared).toEqual(expect.arrayContaining(Object.keys(new Environment())));
});

test('.env.example shows the defaults', () => {
  const shown = readEnvironment(Object.fromEntries(settings));
  // When unset, ALLOWED_HOSTS also contains the hosts of other settings.
  expect(shown.ALLOWED_HOSTS).toEqual(['localhost', '127.0.0.1', '[::1]']);
  expect({ ...shown, ALLOWED_HOSTS: undefined }).toEqual({ ...readEnvironment({}) });
});

test('.env.example explains every setting in one line, and sets none', () => {
  for (const [line, before] of EXAMPLE.split('\n').map((text, at, lines) => [text, lines[at - 1] ?? ''] as const)) {
    expect(line).toMatch(/^(#|$)/);
    if (/^#[A-Z]/.test(line)) expect(before).toMatch(/^# .+\.$/);
  }
});

test('docs/configuration.md equals the output of `npm run docs:configuration` and has every setting', () => {
  const page = readFileSync('docs/configuration.md', 'utf8');
  expect(execFileSync(process.execPath, ['docs/configuration.mjs', '--print'], { encoding: 'utf8' })).toBe(page);
  expect([...page.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name)).toEqual([...settings.keys()]);
});
