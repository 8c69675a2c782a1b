import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { emptyFolder, runCli, start } from '../support/process.js';

const DATES = { start_date: '2027-03-10 20:00', end_date: '2027-03-10 22:00', date_utc: '2026-01-01 00:00:00' };
/** More than a batch, so that the thread starts. */
const EARLIER = Array.from({ length: 400 }, (_, number) => ({ title: `Earlier ${number}`, ...DATES }));
const VARIED = [
  { description: 'One & two\n\n<b onclick="x()">three</b> <script>x</script>', excerpt: '&eacute; &amp; é' },
  { venue: { venue: 'Hall', city: 'Graz', colour: 'red' }, organizer: [{ organizer: 'Club' }, { organizer: 'Choir' }] },
  { categories: ['Music', 'Jazz & Soul'], tags: 'wine, cheese', cost: '10, 20' },
  { uid: 'seven@calendar.example', external_id: 7, timezone: 'America/New_York', featured: 'yes', tittle: 'x' },
  {
    password: 'secret',
    image: 'https://images.example/1.jpg',
    website: ' https://a.example/ ',
    ['__proto__']: { a: 1 },
  },
  { uid: 'seven@calendar.example' },
  { uid: '', password_hash: 'none' },
  { password_hash: 'none' },
  { title: '', start_date: 'never' },
  { description: '<i>'.repeat(600) },
  { venue: { venue: 'Foyer', colour: 'blue' }, categories: [999_999] },
  { venue: [{ city: 'Nowhere' }], descriptoin: 'x' },
].map((values, number) => JSON.stringify({ title: `Varied ${number}`, ...DATES, ...values }));
const LATER = [...VARIED, '{"title":', '[]', '3', '{}'];

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = emptyFolder();
});
afterEach(() => database.drop());

const settings = () => ({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
const linesOf = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Imports both parts with one command, the later one when the thread has been loaded. */
async function importTogether(): Promise<string> {
  const command = start('cli.js', ['import', '-'], settings(), folder);
  const told = text(command.stderr!);
  command.stdin?.write(linesOf(EARLIER));
  await sleep(6_000);
  command.stdin?.end(LATER.join('\n'));
  return told;
}

/** Imports the later part by a command of its own, whose only batch needs no thread. */
async function importApart(): Promise<string> {
  const files = { earlier: linesOf(EARLIER), later: '\n'.repeat(EARLIER.length) + LATER.join('\n') };
  let told = '';
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content);
    told += (await runCli(['import', name], settings(), folder)).stderr;
  }
  return told;
}

async function stored(): Promise<unknown[]> {
  const { stdout } = await runCli(['export', '-'], settings(), folder);
  // The instance is part of the uid.
  const lines = stdout
    .trimEnd()
    .replace(/-\w+@kalends/g, '')
    .split('\n');
  return lines.map((line) => ({ ...(JSON.parse(line) as object), password_hash: undefined, date_utc: undefined }));
}

const aboutLines = (told: string) => told.split('\n').filter((line) => /^line |member|kept/.test(line));

test('lines that a thread parses are stored and reported as those that the main thread parses', async () => {
  const together = { told: aboutLines(await importTogether()), stored: await stored() };
  await database.drop();
  database = await createTestDatabase();
  expect({ told: aboutLines(await importApart()), stored: await stored() }).toEqual(together);
  expect(together.told.length).toBeGreaterThan(12);
  // Not those within records of rejected lines.
  expect(together.told.at(-1)).toContain('venue.colour (1), tittle (1; did you mean title?)');
  expect(together.stored.length).toBeGreaterThan(405);
}, 120_000);
