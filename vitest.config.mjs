import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** A project: a part of the tests with a command of its own, such as `npm run test:engine`. */
const project = (name, include, settings = {}) => ({ extends: true, test: { name, include, ...settings } });

const WITH_SERVICES = { setupFiles: ['test/support/setup.ts'] };

/** The projects of `npm test`, and their files. */
const GATE = {
  unit: 'src/**/*.spec.ts',
  service: 'test/{service,proxy}/**/*.spec.ts',
  engine: 'test/engine/**/*.spec.ts',
};

/** What needs more than node: `npm run test:servers`, `test:browser`, `test:deploy`, `test:openapi`; `test:long` takes long. */
const APART = ['servers', 'browser', 'deploy', 'openapi', 'long'];

/** They share a server, a browser or ports. Workers are a setting of projects: the option of the command reaches none. */
const ONE_WORKER = { ...WITH_SERVICES, maxWorkers: 1, sequence: { groupOrder: 1 } };

/** Installed by tools/run.mjs. */
const TOOLS = {
  'playwright-core': resolve('tools/node_modules/playwright-core/index.mjs'),
  'html-validate': resolve('tools/node_modules/html-validate/dist/esm/index.js'),
  '@rowanmanning/feed-parser': resolve('tools/node_modules/@rowanmanning/feed-parser/index.js'),
};

export default defineConfig({
  // Their list imports what the folder holds, which Vite cannot know beforehand.
  build: { dynamicImportVarsOptions: { exclude: ['**/migrations/**'] } },
  resolve: { alias: TOOLS },
  test: {
    globals: true,
    // A process a worker, in which all files share the modules: loading them took as long as the tests themselves.
    pool: 'forks',
    // Larger than the default, which means fewer garbage collections.
    execArgv: ['--min-semi-space-size=32'],
    isolate: false,
    // The runs of a test command or of .ci/run take what an earlier one has compiled.
    experimental: { fsModuleCache: true },
    // More than processors, because many tests wait. VITEST_MAX_WORKERS=1 runs one, where others run too.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    globalSetup: ['test/support/run-folder.ts'],
    // Tests that took a second timed out after 60 on a machine with ten times the work that it can do.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      project('unit', [GATE.unit]),
      project('service', [GATE.service], WITH_SERVICES),
      project('engine', [GATE.engine], WITH_SERVICES),
      // `npm test`: all of them by the same workers, each of which loads the modules once.
      project('all', Object.values(GATE), WITH_SERVICES),
      ...APART.map((name) => project(name, [`test/${name}/**/*.spec.ts`], ONE_WORKER)),
    ],
  },
});
