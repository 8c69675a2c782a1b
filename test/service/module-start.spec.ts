import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { startOwnApp } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';
import { guarded } from '../support/guard.js';

/** A server with a module whose hook asks the database. The working folder is that of the sources, for the imports. */
const program = (hook: string) => `
  import { Module } from '@nestjs/common';
  import { DataSource } from 'typeorm';
  import { serve } from './dist/index.js';
  class Seeds {
    constructor(source) { this.source = source; }
    async ${hook}() {
      const [{ one }] = await this.source.query('SELECT 1 AS one');
      console.log('${hook} got ' + one);
    }
    onApplicationShutdown(signal) {
      console.log('stopped by ' + signal);
    }
  }
  class SeedsModule {}
  Module({ providers: [{ provide: Seeds, inject: [DataSource], useFactory: (source) => new Seeds(source) }] })(SeedsModule);
  await serve({ modules: [SeedsModule] });
`;

it.each(['onModuleInit', 'onApplicationBootstrap'])(
  'a module may ask the database in %s, the server is ready after it, and its hooks learn the signal',
  async (hook) => {
    const database = await createTestDatabase();
    const settings = { DATABASE_URL: database.url, PORT: '0', HOST: '127.0.0.1', SHUTDOWN_DELAY: '0' };
    const child = guarded(
      spawn(process.execPath, ['--input-type=module', '-e', program(hook)], {
        env: { PATH: process.env.PATH, KALENDS_ADMIN_TOKEN: 'operators-token-of-at-least-32-characters', ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    let output = '';
    const ended = once(child, 'close');
    const ready = new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('"msg":"ready"')) resolve();
      });
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    await Promise.race([ready, ended]);
    child.kill('SIGTERM');
    await ended;
    expect(output).toMatch(new RegExp(`${hook} got 1[^]*"msg":"ready"[^]*stopped by SIGTERM`));
    expect(child.exitCode).toBe(0);
    await database.drop();
  },
  60_000,
);

it('a migration that fails is named in the error of the start', async () => {
  class Broken1795999999000 implements MigrationInterface {
    async up(runner: QueryRunner): Promise<void> {
      await runner.query('CREATE TABLE half_made (id INTEGER)');
      await runner.query('INSERT INTO nowhere VALUES (1)');
    }
    async down(): Promise<void> {}
  }
  const started = startOwnApp({}, { migrations: [Broken1795999999000] });
  await expect(started).rejects.toThrow(
    /^migration Broken1795999999000: .*(no such table: nowhere|Table '\w+\.nowhere' doesn't exist)/,
  );
});
