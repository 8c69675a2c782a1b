import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MigrationInterface } from 'typeorm';

type Migration = new () => MigrationInterface;

const MIGRATION = /^\d+-[\w-]+\.(js|ts)$/;
const files = readdirSync(fileURLToPath(new URL('.', import.meta.url))).filter((file) => MIGRATION.test(file));
const modules: Record<string, Migration>[] = [];
// One after the other: their imports overlap, and not every module loader bears that at once.
for (const file of files.sort()) modules.push((await import(`./${file}`)) as Record<string, Migration>);

/** All migrations, oldest first: the files of this folder by their time. None is edited after its release. */
export const migrations: Migration[] = modules.flatMap((module) => Object.values(module));
