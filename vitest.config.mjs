import { defineConfig } from 'vitest/config';

/** A project: a part of the tests with a command of its own, such as `npm run test:engine`. */
const project = (name, include, settings = {}) => ({ extends: true, test: { name, include: [include], ...settings } });

const WITH_SERVICES = { setupFiles: ['test/support/setup.ts'] };

/** What needs more than node: `npm run test:servers`, `test:browser`, `test:deploy`; and what takes long: `test:long`. */
const APART = ['servers', 'browser', 'deploy', 'long'];

export default defineConfig({
  // Their list imports what the folder holds, which Vite cannot know beforehand.
  build: { dynamicImportVarsOptions: { exclude: ['**/migrations/**'] } },
  test: {
    globals: true,
    // A process a worker, in which all files share the modules: loading them took as long as the tests themselves.
    pool: 'forks',
    isolate: false,
    // Tests wait for servers and processes as much as they compute.
    maxWorkers: '100%',
    globalSetup: ['test/support/run-folder.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      project('unit', 'src/**/*.spec.ts'),
      project('service', 'test/{service,typed-client,proxy}/**/*.spec.ts', WITH_SERVICES),
      project('engine', 'test/engine/**/*.spec.ts', WITH_SERVICES),
      ...APART.map((name) => project(name, `test/${name}/**/*.spec.ts`, WITH_SERVICES)),
    ],
  },
});
