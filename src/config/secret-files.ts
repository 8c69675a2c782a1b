import { readFileSync } from 'node:fs';

type Given = Record<string, string | undefined>;

/** Settings that can be read from the file named by the setting with `_FILE` behind the name. */
const SECRETS = ['KALENDS_ADMIN_TOKEN', 'REDIS_URL'];

/** The secrets whose files are named, read at once, so that a missing file stops the start; what is wrong with them. */
export function secretsInFiles(given: Given): { values: Record<string, string>; problems: string[] } {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of SECRETS) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    const text = given[name] === undefined ? contentOf(path) : undefined;
    if (text !== undefined) values[name] = text;
    else
      problems.push(`${name}_FILE: ${given[name] === undefined ? `cannot be read: ${path}` : `${name} is set, too`}`);
  }
  return { values, problems };
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch {
    return undefined;
  }
}
