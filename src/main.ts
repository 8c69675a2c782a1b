import { cacheCompiledCode } from './process/compile-cache.js';

cacheCompiledCode();
// A dynamic import, because static imports are compiled before the first statement.
const { runService } = await import('./process/program.js');
await runService();
