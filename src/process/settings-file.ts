import cluster from 'node:cluster';
import { loadEnvFile } from '../config/env-file.js';

/** Where the settings come from. */
export interface LoadedSettings {
  /** The variables that the environment sets, also if `.env` sets them, too. */
  readonly fromEnvironment: readonly string[];
  /** The variables that come from `.env`. */
  readonly fromFile: readonly string[];
  /** Texts about misspelt names. */
  readonly warnings: readonly string[];
}

/**
 * Reads `.env` of the working folder. Call before other modules are loaded, because some read settings while they load.
 * Workers have the variables of the primary process.
 */
export async function loadSettings(): Promise<LoadedSettings> {
  if (!cluster.isPrimary) return { fromEnvironment: [], fromFile: [], warnings: [] };
  const { environment, file } = loadEnvFile();
  const { settingWarnings } = await import('../config/misspelt-settings.js');
  return {
    fromEnvironment: environment,
    fromFile: file.filter((name) => !environment.includes(name)),
    warnings: settingWarnings(environment, file),
  };
}
