import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MigrationInterface } from 'typeorm';

type Migration = new () => MigrationInterface;

/** A migration in the folder `migrations` of a room. The group is its time. */
const MIGRATION = /(?:^|\/)migrations\/(\d+)-[\w-]+\.(?:js|ts)$/;

/** Returns the migrations of all folders `migrations` below a folder, by their time. */
export async function migrationsBelow(folder: URL): Promise<Migration[]> {
  const files = readdirSync(fileURLToPath(folder), { recursive: true, encoding: 'utf8' })
    .map((file) => ({ file, time: Number(MIGRATION.exec(file)?.[1]) }))
    .filter(({ time }) => !Number.isNaN(time))
    .sort((a, b) => a.time - b.time);
  const modules: Record<string, Migration>[] = [];
  // Imported one after the other, because some module loaders fail on concurrent imports of shared modules.
  for (const { file } of files) modules.push((await import(new URL(file, folder).href)) as Record<string, Migration>);
  return modules.flatMap((module) => Object.values(module));
}

/**
 * All migrations, oldest first: those of this folder, and those of a folder `migrations` in any other room. Released
 * migrations must not be edited.
 */
export const migrations = await migrationsBelow(new URL('../../', import.meta.url));
