/** Jest runs the sources as native ES modules, the same packages as in production. */
export default {
  testEnvironment: 'node',
  rootDir: '.',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  // Runs of their own: what only a database server can show (npm run test:servers), what needs a browser
  // (npm run test:browser), what is deployed (npm run test:deploy), and what takes long (npm run test:long).
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env.SERVERS === '1' ? [] : ['/test/servers/']),
    ...(process.env.BROWSER === '1' ? [] : ['/test/browser/']),
    ...(process.env.DEPLOY === '1' ? [] : ['/test/deploy/']),
    ...(process.env.LONG === '1' ? [] : ['/test/long/']),
  ],
  coverageProvider: 'v8',
  testRegex: String.raw`\.spec\.ts$`,
  testTimeout: 20_000,
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'es6' },
        jsc: {
          target: 'es2022',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
      },
    ],
  },
};
