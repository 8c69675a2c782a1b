import { spawn } from 'node:child_process';
import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '../support/client.js';
import { receive } from '../support/gzipped.js';
import { guarded } from '../support/guard.js';
import { PATIENT } from '../support/patience.js';
import { emptyFolder } from '../support/process.js';
import { until } from '../support/until.js';

const TOKEN = 'replaced-files-administrator-token-0123456789';
const MOUNT = '/calendar/events/v1';
const EVENT = {
  title: 'Jazz & Wine',
  start_date: '2027-03-10 10:00',
  end_date: '2027-03-10 12:00',
  timezone: 'Europe/Paris',
};

test('a running service outlives its files: `npm ci && npm test` in its folder removes packages and replaces the build', async () => {
  const folder = emptyFolder();
  for (const path of ['dist', 'package.json']) cpSync(path, join(folder, path), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  // Otherwise packages would look for their files in our node_modules.
  const options = ['--preserve-symlinks', '--preserve-symlinks-main'];
  const { PATH = '' } = process.env;
  const settings = {
    PORT: '0',
    HOST: '127.0.0.1',
    KALENDS_ADMIN_TOKEN: TOKEN,
    SHUTDOWN_DELAY: '0',
    LOG_LEVEL: 'debug',
  };
  const service = guarded(
    spawn(process.execPath, [...options, join(folder, 'dist', 'main.js')], {
      cwd: folder,
      env: { PATH, ...PATIENT, ...settings },
      timeout: 120_000,
    }),
  );
  let log = '';
  for (const stream of [service.stdout, service.stderr])
    stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await until(() => {
    if (service.exitCode !== null) throw new Error(log);
    return log.includes('the documentation is loaded');
  }, 60_000);
  for (const path of ['dist', 'node_modules']) rmSync(join(folder, path), { recursive: true });

  const [, port] = /"url":"http:\/\/127\.0\.0\.1:(\d+)/.exec(log) ?? [];
  const client = new Client(Number(port), MOUNT);
  expect((await client.post('/events', EVENT, TOKEN)).status).toBe(201);
  const { body } = await client.get('/events?search=jazz&start_date=2027-01-01');
  expect(body.events).toHaveLength(1);
  const paths = ['en', 'de', 'fr'].map((language) => `/${language}${MOUNT}/doc`);
  for (const path of paths) {
    const page = await receive(Number(port), path, { accept: 'text/html' });
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => join(path, '..', file ?? ''));
    expect(files.length).toBeGreaterThan(3);
    for (const file of [path, ...files])
      expect([file, (await receive(Number(port), file)).status]).toEqual([file, 200]);
  }
  service.kill('SIGTERM');
  await until(() => service.exitCode !== null, 60_000);
  expect([service.exitCode, log]).toEqual([0, expect.not.stringMatching(/"level":"?(50|error)/)]);
}, 120_000);
