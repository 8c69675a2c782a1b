import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';
import { event } from '../support/factories.js';
import { emptyFolder, runCli } from '../support/process.js';

/** Returns the connection options for the command line tools of both servers. */
function addressOf(url: string): string[] {
  const { hostname, port, username, password, pathname } = new URL(url);
  return [
    `-h${hostname}`,
    `-P${port || '3306'}`,
    `-u${username}`,
    ...(password && [`-p${password}`]),
    pathname.slice(1),
  ];
}

/** Runs a tool with files as input and output. Throws its standard error if it fails. */
async function run(command: string, args: readonly string[], files: { from?: string; to?: string }): Promise<void> {
  const child = spawn(command, args);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  if (files.from === undefined) child.stdin.end();
  else createReadStream(files.from).pipe(child.stdin);
  if (files.to === undefined) child.stdout.resume();
  else child.stdout.pipe(createWriteStream(files.to));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${said}`);
}

test('a dump by docs/backup.md, made under load, restores all writes acknowledged before it began', async () => {
  const service = await startApp();
  const restored = await createTestDatabase();
  const acknowledged: string[] = [];
  let isWriting = true;
  const writer = async (name: string) => {
    for (let n = 0; isWriting; n += 1) {
      const title = `${name} ${n}`;
      await event(service.client, service.tokens.adm, {
        title,
        tags: [`tag ${title}`],
        venue: { venue: `at ${title}` },
      });
      acknowledged.push(title);
    }
  };
  const writing = Promise.all(['a', 'b', 'c', 'd'].map(writer));
  while (acknowledged.length < 40) await sleep(10);

  const before = [...acknowledged];
  const dump = join(emptyFolder(), 'kalends.sql');
  const options = ['--single-transaction', '--quick', '--default-character-set=utf8mb4'];
  await run('mariadb-dump', [...options, ...addressOf(service.databaseUrl)], { to: dump });
  isWriting = false;
  await writing;
  await run('mariadb', addressOf(restored.url), { from: dump });

  const { code, stdout, stderr } = await runCli(['export'], { DATABASE_URL: restored.url });
  expect([code, stderr]).toEqual([0, expect.stringContaining('events exported')]);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const events = new Map(lines.filter(({ record }) => record === 'event').map((line) => [line.title as string, line]));
  expect(before.filter((title) => !events.has(title))).toEqual([]);
  expect(events.size).toBeLessThan(acknowledged.length);
  // Each restored event has its tag and its venue.
  for (const [title, { tags, venue }] of events) {
    expect([tags, venue]).toEqual([[expect.any(String)], [expect.objectContaining({ venue: `at ${title}` })]]);
  }
  await service.close();
  await restored.drop();
}, 120_000);
