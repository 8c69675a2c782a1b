/** Jest runs the sources as native ES modules, the same packages as in production. */
export default {
  testEnvironment: 'node',
  rootDir: '.',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  // What only a database server can show is a run of its own: npm run test:servers.
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.SERVERS === '1' ? [] : ['/test/servers/'])],
  coverageProvider: 'v8',
  testRegex: String.raw`\.(e2e-)?spec\.ts$`,
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
