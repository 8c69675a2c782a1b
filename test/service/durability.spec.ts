import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { emptyFolder, metricsPortOf, runCli, startServer } from '../support/process.js';
import { until } from '../support/until.js';

const TOKEN = 'operators-token-of-at-least-32-characters';

/** Records the `synchronous` level of every database connection of a process, when it closes or the process exits. */
const WATCH = (driver: string, notes: string) => `
  import { appendFileSync } from 'node:fs';
  import { BetterSqlite3 } from ${JSON.stringify(driver)};
  const { prototype } = BetterSqlite3;
  const { pragma, close } = prototype;
  const used = new Set();
  const note = (connection) => {
    if (!used.delete(connection) || !connection.open || connection.readonly || connection.name.endsWith('.lock')) return;
    const synchronous = pragma.call(connection, 'synchronous', { simple: true });
    appendFileSync(${JSON.stringify(notes)}, synchronous + ' ');
  };
  for (const name of ['exec', 'prepare', 'pragma', 'backup']) {
    const own = prototype[name];
    prototype[name] = function (...values) { used.add(this); return own.apply(this, values); };
  }
  prototype.close = function () { note(this); return close.call(this); };
  process.on('exit', () => [...used].forEach(note));
`;

/** Uses the embedded database, whichever engine the suite runs on. */
describe('a power cut', () => {
  const folder = emptyFolder();
  const file = join(folder, 'kalends.sqlite');
  const notes = join(folder, 'notes');
  const driver = pathToFileURL(resolve('dist/database/connection/sqlite-driver.js')).href;
  const watched = {
    DATABASE_URL: `sqlite:${file}`,
    KALENDS_ADMIN_TOKEN: TOKEN,
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(WATCH(driver, notes))}`,
  };
  /** `synchronous` of the connections of a command: 2 is FULL, 1 NORMAL. */
  const levels = () => readFileSync(notes, 'utf8').trimEnd().split(' ');
  const full = (count: number) => Array.from({ length: count }, () => '2');
  beforeEach(() => writeFileSync(notes, ''));

  it('loses no write of a finished command: migrations, import, backup and restore', async () => {
    const lines = join(folder, 'events.jsonl');
    writeFileSync(lines, '{"title":"Kept","start_date":"2027-01-01 10:00","end_date":"2027-01-01 11:00"}\n');
    const copy = join(folder, 'copy.sqlite');
    for (const args of [
      ['import', lines],
      ['backup', copy],
      ['restore', '--force', copy],
    ]) {
      writeFileSync(notes, '');
      const { code, stderr } = await runCli(args, watched, folder);
      expect([args[0], code, stderr]).toEqual([args[0], 0, `Database: ${file}\n`]);
      expect([args[0], levels().length > 1]).toEqual([args[0], true]);
      expect([args[0], levels()]).toEqual([args[0], full(levels().length)]);
    }
  }, 60_000);

  it('loses no acknowledged write of a server, whose files only their owner may read', async () => {
    const server = await startServer(watched, folder);
    await server.stop();
    expect(levels()).toEqual(full(levels().length));
    expect(levels().length).toBeGreaterThan(1);
    expect([file, `${file}.lock`].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(server.output.stdout).not.toContain('power cut');
  }, 60_000);

  it('may lose the last writes with SQLITE_SYNCHRONOUS=normal; log and metrics report it, not readiness', async () => {
    const server = await startServer({ ...watched, SQLITE_SYNCHRONOUS: 'normal', METRICS_PORT: '0' }, folder);
    try {
      await until(() => server.output.stdout.includes('power cut'));
      const warning = server.output.stdout.split('\n').find((line) => line.includes('power cut')) ?? '{}';
      expect(JSON.parse(warning)).toMatchObject({
        level: 40,
        msg: expect.stringMatching(/^SQLITE_SYNCHRONOUS is normal/),
      });
      const metricsPort = metricsPortOf(server);
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      expect(metrics).toMatch(/^kalends_database_doubts\{about="synchronous"\} 1$/m);
      const ready = await fetch(`http://127.0.0.1:${server.port}/health/ready`);
      expect(await ready.json()).toEqual({ status: 'ready' });
    } finally {
      await server.stop();
    }
    expect(levels()).toContain('1');
  }, 60_000);
});
