import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { welcome } from '../../src/process/welcome.js';
import { Client } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { emptyFolder, runServer, startServer } from '../support/process.js';
import { startOnTerminal } from '../support/terminal.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

describe('a start on a terminal', () => {
  it('shows four lines, then pretty log lines, and no token', async () => {
    const folder = emptyFolder();
    const port = await freePort();
    const terminal = startOnTerminal({ PORT: String(port), HOST: '127.0.0.1', SHUTDOWN_DELAY: '0' }, folder);
    await terminal.shows('admin-token\n');
    const root = `http://127.0.0.1:${port}/calendar/events/v1`;
    const token = readFileSync(join(folder, 'data', 'admin-token'), 'utf8').trim();
    const shown = terminal.shown();
    expect(shown).toBe(
      [
        `Kalends ${version}`,
        `  Address        ${root}`,
        `  Documentation  ${root}/doc`,
        '  Token          data/admin-token',
        '',
      ].join('\n'),
    );
    const { status } = await new Client(port, '/calendar/events/v1').get('/tags?search=x', token);
    await terminal.shows('/tags?search=x');
    await terminal.interrupt();
    const lines = terminal.shown().slice(shown.length).trim();
    expect([status, lines]).toEqual([
      200,
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}GET \/calendar\/events\/v1\/tags\?search=x {2}200 {2}[\d.]+ ms\n/),
    ]);
    expect(terminal.shown()).not.toContain(token);
  }, 120_000);
});

describe('welcome', () => {
  it('tells how to make a token if that of the first start is not valid any more', () => {
    expect(welcome({ apiRoot: 'http://h/v1', tokenPlace: undefined })).toContain(
      '\n  Token          make one: kalends token create LOGIN\n',
    );
  });
});

describe('a start without a terminal', () => {
  it('logs JSON only; .env sets what the environment does not, and misspelt names cause a warning', async () => {
    const folder = emptyFolder();
    const file = join(folder, '.env');
    writeFileSync(file, 'SITE_NAME="From the file"\nBASE_PATH=/file\nLOG_FORMAT=json\nCOLOUR=red\n');
    const server = await startServer({ BASE_PATH: '/environment', PROT: '1' }, folder);
    const { body } = await new Client(server.port, '').get('/wp-json/');
    const { status } = await new Client(server.port, '/environment/calendar/events/v1').get('/tags');
    await server.stop();
    expect([body.name, status]).toEqual(['From the file', 200]);
    const lines = server.output.stdout.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'listening',
      'created the first administrator',
      'ready',
      'request',
      'request',
      'stopping',
    ]);
    expect(server.output.stderr).toBe(
      'PROT is no setting. Did you mean PORT?\n.env: COLOUR is no setting. It has no effect.\n',
    );
  });

  it.each([
    ['no folder', 'sqlite:/dev/null/x.sqlite', /ENOTDIR.+ Name a file in a folder: /],
    [
      'a folder without rights',
      'sqlite:/sys/kalends/kalends.sqlite',
      /(EPERM|EACCES|EROFS).+ Give this user the right to write /,
    ],
  ])('stops with one line that says what to do if the database is in %s', async (_, DATABASE_URL, text) => {
    const { code, stderr } = await runServer({ DATABASE_URL });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^DATABASE_URL: .+\n$/)]);
    expect(stderr).toMatch(text);
  });
});

describe('a start without the SQLite driver', () => {
  const moduleOf = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

  it('says in one line what to install', async () => {
    const hook = moduleOf(`export function resolve(name, context, next) {
      if (!name.startsWith('better-sqlite3')) return next(name, context);
      throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    }`);
    const register = moduleOf(`import { register } from 'node:module'; register(${JSON.stringify(hook)});`);
    const { code, stderr } = await runServer({ NODE_OPTIONS: `--import=${register}` });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'The SQLite driver is not installed. On Node.js 20 npm compiles it: install a C++ compiler, make and python3, ' +
        'and run npm ci again, or use Node.js 22 or 24.\n',
    );
    expect(stderr).not.toContain(' at ');
  });
});
