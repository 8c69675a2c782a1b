import { join } from 'node:path';
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import ts from 'typescript-eslint';

export default ts.config(
  {
    ignores: [
      'dist/',
      'bench/dist/',
      'test/faults/dist/',
      'test/upgrade/dist/',
      'coverage/',
      'data/',
      'examples/',
      'test/openapi/program/',
      'tools/coverage/',
      '**/*.mjs',
      '**/*.cjs',
    ],
  },
  js.configs.recommended,
  ...ts.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        // All files in one program, so that the types of each are found once.
        project: ['./tools/tsconfig.json'],
        tsconfigRootDir: join(import.meta.dirname, '..'),
      },
    },
  },
  {
    rules: {
      'max-lines': ['error', { max: 250, skipBlankLines: false, skipComments: false }],
      'no-duplicate-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Only the files below read the environment; the process entry points set up the process itself.
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read settings through Environment.' },
        { object: 'URL', property: 'canParse', message: 'It refuses hosts that are not ASCII: isUrl of the kernel.' },
      ],
    },
  },
  {
    files: [
      'src/config/environment.ts',
      'src/config/config.module.ts',
      'src/config/env-file.ts',
      'src/platform/observability/worker-messages.ts',
      'src/index.ts',
      'src/process/program.ts',
      'src/cli.ts',
      'ormconfig.ts',
      'test/**/*.ts',
      'bench/**/*.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['**/*.browser.js'],
    languageOptions: { parserOptions: { project: './tsconfig.browser.json' } },
    // The compiler knows what there is in a browser.
    rules: { 'no-undef': 'off' },
  },
  {
    // Preact escapes texts. What is not escaped is made safe in one place (pages P11).
    files: ['src/**/*.tsx'],
    ignores: ['src/pages/views/raw.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
          message: 'Use Prose or LinkedData of raw.tsx.',
        },
      ],
    },
  },
  {
    // A table: of settings.
    files: ['src/config/environment.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts', 'bench/ceiling/*.ts'],
    rules: {
      'max-lines': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  prettier,
);
