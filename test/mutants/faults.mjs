// The faults of list.json, each a patch of one file in src that a user would notice.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const FAULTS = JSON.parse(readFileSync(join(import.meta.dirname, 'list.json'), 'utf8'));

/** Returns the text of a file with the fault in it. Throws where the text to replace does not occur exactly once. */
export function withFault(text, { name, file, from, to }) {
  const [before, after, ...more] = text.split(from);
  if (after === undefined || more.length > 0) {
    const times = after === undefined ? 'not' : `${more.length + 1} times`;
    throw new Error(`${name}: its text occurs ${times} in ${file}, must be once: ${from}`);
  }
  return before + to + after;
}

/** Returns what is wrong with a fault in the tree at `root`, as one line each. */
export function problemsOf(fault, root) {
  const problems = fault.tests.filter((path) => !existsSync(join(root, path))).map((path) => `no test file ${path}`);
  if (fault.tests.length === 0) problems.push('names no test');
  if (fault.from === fault.to) problems.push('changes nothing');
  try {
    withFault(readFileSync(join(root, fault.file), 'utf8'), fault);
  } catch (error) {
    problems.push(error.message);
  }
  return problems.map((problem) => (problem.startsWith(fault.name) ? problem : `${fault.name}: ${problem}`));
}
