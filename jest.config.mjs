/** Jest runs the sources as native ES modules, the same packages as in production. */
export default {
  testEnvironment: 'node',
  rootDir: '.',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  // Runs of their own: what only a database server can show (npm run test:servers), and what needs a browser
  // (npm run test:browser).
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env.SERVERS === '1' ? [] : ['/test/servers/']),
    ...(process.env.BROWSER === '1' ? [] : ['/test/browser/']),
  ],
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
