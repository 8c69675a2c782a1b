import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** Since Node.js 22.1, so the types of Node.js 20 lack it. */
type CompileCache = { readonly enableCompileCache?: (folder: string) => object };

/**
 * Lets Node.js keep the compiled code of all modules that are loaded from now on, which saves an eighth of the time of later
 * starts. The cache lies beside the code: only an owner of the code can write there. Where that is not allowed, there is no cache.
 */
export function cacheCompiledCode(): void {
  (module as CompileCache).enableCompileCache?.(fileURLToPath(new URL('../.cache', import.meta.url)));
}
