import { readFileSync } from 'node:fs';

type Given = Record<string, string | undefined>;

/** Settings that can be read from a file. Another setting with the suffix `_FILE` names the file. */
const SECRETS = ['KALENDS_ADMIN_TOKEN', 'REDIS_URL'];

/** Reads the secrets from their files at the start, so that a missing file stops it. Returns problems as texts. */
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
