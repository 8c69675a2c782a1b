#!/usr/bin/env node
import { cacheCompiledCode } from './process/compile-cache.js';

// TypeORM converts times with the time zone of the process.
process.env.TZ = 'UTC';

cacheCompiledCode();
// A dynamic import, because static imports are compiled before the first statement.
const { commandLine } = await import('./process/commands.js');
await commandLine().parseAsync();
