import type Driver from 'better-sqlite3';
import { OperatorError } from '../../errors/operator-error.js';

/** Version 12 of the driver ends processes of Node.js 24.19 and later; version 13 needs Node.js 22. */
const isOld = Number(process.versions.node.split('.')[0]) < 22;

/** The package of the driver, for threads. */
export const DRIVER_NAME = isOld ? 'better-sqlite3' : 'better-sqlite3-13';

// @ts-expect-error -- the types are known under the name of the package only
const module = (isOld ? import('better-sqlite3') : import('better-sqlite3-13')) as Promise<{ default: typeof Driver }>;
const { default: driver } = await module.catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  // npm leaves an optional package out, without a word, if it cannot be compiled.
  const way = 'install a C++ compiler, make and python3, and run npm ci again, or use Node.js 22 or 24';
  throw new OperatorError(`The SQLite driver is not installed. On Node.js 20 npm compiles it: ${way}.`);
});

/** The driver of SQLite databases. */
export const BetterSqlite3: typeof Driver = driver;

/** A pragma that makes commits of this connection survive a power cut. For rare work, because it is slow. */
export const DURABLE = 'synchronous = FULL';
