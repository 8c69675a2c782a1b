import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { OperatorError } from '../errors/operator-error.js';

/** The file of settings in the working folder. */
const FILE = '.env';

/** The names of variables, by where they come from. */
interface Sources {
  readonly environment: readonly string[];
  readonly file: readonly string[];
}

/**
 * Adds the variables of the file `.env` in the working folder to the environment, which has priority. Returns the names in
 * both. Only the programs call this, so that tests and imports do not depend on the folder.
 */
export function loadEnvFile(): Sources {
  const environment = Object.keys(process.env);
  const text = contentOf(FILE);
  const given = text === undefined ? {} : parseEnv(text);
  for (const [name, value] of Object.entries(given)) process.env[name] ??= value;
  return { environment, file: Object.keys(given) };
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code === 'ENOENT') return undefined;
    throw new OperatorError(
      `${path}: the file of settings cannot be read (${message}). Mend its rights, or remove it.`,
    );
  }
}
