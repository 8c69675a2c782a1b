import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MigrationInterface } from 'typeorm';

type Migration = new () => MigrationInterface;

const MIGRATION = /^\d+-[\w-]+\.(js|ts)$/;
const files = readdirSync(fileURLToPath(new URL('.', import.meta.url))).filter((file) => MIGRATION.test(file));
const modules: Record<string, Migration>[] = [];
// Imported one after the other, because some module loaders fail on concurrent imports of shared modules.
for (const file of files.sort()) modules.push((await import(`./${file}`)) as Record<string, Migration>);

/** All migrations, oldest first: the files of this folder, sorted by time. Released migrations must not be edited. */
export const migrations: Migration[] = modules.flatMap((module) => Object.values(module));
