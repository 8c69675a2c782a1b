import { FAULTS, problemsOf } from '../mutants/faults.mjs';

test('npm run mutants: the text of each fault occurs once in its file, and its test files exist', () => {
  expect(FAULTS.flatMap((fault) => problemsOf(fault, '.'))).toEqual([]);
});

test('npm run mutants: there are 60 faults or more, each with a name of its own', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
  expect(FAULTS.length).toBeGreaterThanOrEqual(60);
});
