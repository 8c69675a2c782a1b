import { readFileSync } from 'node:fs';
import { withResult } from '../nightly/result.mjs';

const PASSED = { minutes: 1.25, began: '2026-11-20 08:39', commit: 'abc1234', hasPassed: true };
const EMPTY = 'Before\n\n<!-- prettier-ignore-start -->\n\nNot run yet.\n\n<!-- prettier-ignore-end -->\n\nAfter\n';

const rowsOf = (page: string) => page.split('\n').filter((line) => /^\| [a-z]/.test(line));

test('npm run nightly: a part that has run gets a row with its date and commit; the others are told as not run', () => {
  const page = withResult(EMPTY, { fuzz: 'a', proxy: 'b' }, 'proxy', PASSED);
  expect(rowsOf(page)).toEqual([
    '| fuzz | `a` |  |  |  | not run yet |',
    '| proxy | `b` | 1.3 | 2026-11-20 08:39 | abc1234 | passed |',
  ]);
  expect(page.startsWith('Before\n')).toBe(true);
  expect(page.endsWith('\nAfter\n')).toBe(true);
  expect(page).not.toContain('Not run yet.');
});

test('npm run nightly: a later run of another part keeps the row, and a run of the same part replaces it', () => {
  const commands = { fuzz: 'a', proxy: 'b' };
  const first = withResult(EMPTY, commands, 'proxy', PASSED);
  const second = withResult(first, commands, 'fuzz', { ...PASSED, commit: 'def5678', hasPassed: false });
  expect(rowsOf(second)).toEqual([
    '| fuzz | `a` | 1.3 | 2026-11-20 08:39 | def5678 | **FAILED** |',
    '| proxy | `b` | 1.3 | 2026-11-20 08:39 | abc1234 | passed |',
  ]);
  const third = withResult(second, { fuzz: 'a' }, 'fuzz', PASSED);
  expect(rowsOf(third)).toEqual(['| fuzz | `a` | 1.3 | 2026-11-20 08:39 | abc1234 | passed |']);
});

test('npm run nightly: docs/nightly.md has the place of the table', () => {
  const page = readFileSync('docs/nightly.md', 'utf8');
  expect(rowsOf(withResult(page, { fuzz: 'a' }, 'fuzz', PASSED))).toHaveLength(1);
});
