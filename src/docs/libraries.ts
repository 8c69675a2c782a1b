import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { devNull } from 'node:os';
import type * as Swagger from '@nestjs/swagger';
import type * as ValidatorSchemas from 'class-validator-jsonschema';

const require = createRequire(import.meta.url);
const loaded = new Map<string, unknown>();

/** Returns `@nestjs/swagger`. Loads it on the first call, which takes a fifth of the time of a start. */
export const swagger = () => load('@nestjs/swagger') as typeof Swagger;

/** Returns `class-validator-jsonschema`, which loads all of class-validator on the first call. */
export const validatorSchemas = () => load('class-validator-jsonschema') as typeof ValidatorSchemas;

/**
 * Loads a package, one file after the other. `import()` reads files side by side, and caches their errors: without a free
 * file descriptor it would fail until the process ends.
 */
function load(name: string): unknown {
  if (!loaded.has(name)) {
    // Throws if there is no file descriptor. Node would take a package.json that it cannot open for missing, for ever.
    closeSync(openSync(devNull, 'r'));
    loaded.set(name, require(name));
  }
  return loaded.get(name);
}
