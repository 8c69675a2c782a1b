import { nearestName } from '../kernel/text/spelling.js';
import { settingNames } from './environment.js';

/** Variables that systems set and that resemble a setting. */
const OF_SYSTEMS = new Set(['LANGUAGE', 'HOSTNAME', 'HOSTTYPE']);

/** Variables that Node.js and the libraries of the service read themselves. */
const OF_LIBRARIES = /^(NODE_|OTEL_|TZ$|NO_COLOR$)/;

/** A misspelt name has one wrong, missing or additional character, or two swapped ones. */
const MAX_EDITS = 1;

/**
 * Returns a warning for each variable of the environment whose name is nearly that of a setting, and for each name in `.env`
 * that is no setting, because that file is for settings only.
 */
export function settingWarnings(ofEnvironment: readonly string[], ofFile: readonly string[]): string[] {
  const settings = settingNames();
  const isStrange = (name: string) => !settings.includes(name) && !OF_LIBRARIES.test(name);
  const misspelt = ofEnvironment
    .filter((name) => isStrange(name) && !OF_SYSTEMS.has(name))
    .map((name) => [name, nearestName(name, settings, MAX_EDITS)] as const)
    .filter(([, meant]) => meant !== undefined)
    .map(([name, meant]) => `${name} is no setting. Did you mean ${meant}?`);
  const unknown = ofFile.filter(isStrange).map((name) => {
    const meant = nearestName(name, settings, MAX_EDITS);
    return `.env: ${name} is no setting. ${meant === undefined ? 'It has no effect.' : `Did you mean ${meant}?`}`;
  });
  return [...misspelt, ...unknown];
}
