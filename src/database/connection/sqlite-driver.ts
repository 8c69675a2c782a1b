import type Driver from 'better-sqlite3';

/** Version 12 of the driver ends processes of Node.js 24.19 and later; version 13 needs Node.js 22. */
const isOld = Number(process.versions.node.split('.')[0]) < 22;

// @ts-expect-error -- the types are known under the name of the package only
const module = (isOld ? import('better-sqlite3') : import('better-sqlite3-13')) as Promise<{ default: typeof Driver }>;
const { default: driver } = await module;

/** The driver of SQLite databases. */
export const BetterSqlite3: typeof Driver = driver;

/** A pragma that makes commits of this connection survive a power cut. For rare work, because it is slow. */
export const DURABLE = 'synchronous = FULL';
