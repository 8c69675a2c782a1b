import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MigrationInterface } from 'typeorm';

type Migration = new () => MigrationInterface;

const MIGRATION = /^\d+-[\w-]+\.(js|ts)$/;
const files = readdirSync(fileURLToPath(new URL('.', import.meta.url))).filter((file) => MIGRATION.test(file));
const modules = await Promise.all(
  files.sort().map((file) => import(`./${file}`) as Promise<Record<string, Migration>>),
);

/** All migrations, oldest first: the files of this folder by their time. None is edited after its release. */
export const migrations: Migration[] = modules.flatMap((module) => Object.values(module));
