// The names of all tests, whichever file they stand in, to show that none is lost when tests move.
//   npx vitest list --json=list.json && node test/names.mjs list.json > names.json      each name and its number of tests
//   node test/names.mjs --compare BEFORE.json AFTER.json      exits with 1 when a test of BEFORE is missing in AFTER
import { readFileSync } from 'node:fs';

const [first, ...rest] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

if (first === '--compare') compare(...rest.map(read).map(joined));
else console.log(JSON.stringify(namesOf(read(first)), null, 1));

function namesOf(tests) {
  const counts = new Map();
  for (const { name } of tests) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Runners join the titles of a test differently: ` > ` or a blank. */
function joined(names) {
  const counts = {};
  for (const [name, count] of Object.entries(names)) {
    const key = name.replaceAll(' > ', ' ');
    counts[key] = (counts[key] ?? 0) + count;
  }
  return counts;
}

function compare(before, after) {
  const less = (some, others) => Object.keys(some).filter((name) => some[name] > (others[name] ?? 0));
  const tell = (sign, names, some, others) =>
    names.forEach((name) => console.log(`${sign} ${some[name] - (others[name] ?? 0)} × ${name}`));
  const [lost, added] = [less(before, after), less(after, before)];
  tell('-', lost, before, after);
  tell('+', added, after, before);
  const total = (some) => Object.values(some).reduce((sum, count) => sum + count, 0);
  console.log(`${total(before)} tests before, ${total(after)} after; ${lost.length} names lost, ${added.length} added`);
  process.exitCode = lost.length > 0 ? 1 : 0;
}
