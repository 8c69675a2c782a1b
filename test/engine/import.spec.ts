import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { runCommand } from '../support/command.js';
import { emptyFolder, startServer } from '../support/process.js';

interface Line {
  title: string;
  start_date: string;
  end_date: string;
  description?: string;
  categories: string[];
  tags?: string[];
  venue?: { venue: string };
  organizer: { organizer: string }[];
}

const FILE = join(process.cwd(), 'examples', 'conferences.jsonl');
const LINES = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

/** Removes accents and case, as a search does. */
const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/ł/g, 'l');
const distinct = (texts: string[]) => new Set(texts.map((text) => text.toLowerCase())).size;

describe('kalends import', () => {
  let database: TestDatabase;
  let folder: string;
  const settings = () => ({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });

  beforeEach(async () => {
    database = await createTestDatabase();
    folder = emptyFolder();
  });
  afterEach(() => database.drop());

  const importLines = async (lines: readonly unknown[], ...options: string[]) => {
    const file = join(folder, 'lines.jsonl');
    writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
    return runCommand(['import', file, ...options], settings(), folder);
  };
  const total = async (path: string) => {
    const server = await startServer(settings(), folder);
    const reply = await new Client(server.port, '/calendar/events/v1').get(path);
    await server.stop();
    return reply.body.total as number;
  };

  it('imports every line of the example file once; a running server shows the events at once', async () => {
    const server = await startServer(settings(), folder);
    const client = new Client(server.port, '/calendar/events/v1');
    const counts = {
      venues: distinct(LINES.flatMap(({ venue }) => (venue ? [venue.venue] : []))),
      organizers: distinct(LINES.flatMap(({ organizer }) => organizer.map((one) => one.organizer))),
      categories: distinct(LINES.flatMap(({ categories }) => categories)),
      tags: distinct(LINES.flatMap(({ tags = [] }) => tags)),
    };
    const first = await runCommand(['import', FILE], settings(), folder);
    expect(first.stdout).toContain(`${LINES.length} events added, 0 already there, 0 lines rejected`);
    expect(first.stdout).toContain(
      `new: ${counts.venues} venues, ${counts.organizers} organizers, ${counts.categories} categories, ${counts.tags} tags`,
    );
    expect(first.code).toBe(0);

    const in2025 = LINES.filter(
      ({ start_date, end_date }) => start_date.startsWith('2025') && end_date.startsWith('2025'),
    );
    const summits = in2025.filter(({ title, description = '' }) =>
      folded(`${title} ${description}`).includes('summit'),
    );
    const ofWeb = in2025.filter(({ categories }) => categories.includes('web'));
    const sanVenues = new Set(
      LINES.flatMap(({ venue }) => (venue && folded(venue.venue).includes('san') ? [venue.venue] : [])),
    );
    const year = 'start_date=2025-01-01&end_date=2025-12-31';
    const totalOf = async (path: string) => (await client.get(path)).body.total as number;
    expect(await totalOf(`/events?${year}`)).toBe(in2025.length);
    expect(await totalOf(`/events?${year}&search=summit`)).toBe(summits.length);
    expect(await totalOf(`/events?${year}&categories=web`)).toBe(ofWeb.length);
    expect(await totalOf('/venues?search=san')).toBe(sanVenues.size);
    const { body } = await client.get('/venues?search=wroclaw');
    expect(body.venues.map(({ venue }: { venue: string }) => venue)).toEqual(['Wrocław, Poland']);
    const [{ id }] = body.venues as [{ id: number }];
    expect(await totalOf(`/events?${year}&venue=${id}`)).toBe(
      in2025.filter(({ venue }) => venue?.venue === 'Wrocław, Poland').length,
    );

    const second = await runCommand(['import', FILE], settings(), folder);
    expect(second.stdout).toContain(`0 events added, ${LINES.length} already there, 0 lines rejected`);
    expect(second.stdout).toContain('new: 0 venues, 0 organizers, 0 categories, 0 tags');
    expect(second.code).toBe(0);
    await server.stop();
  });

  it('reports every rejected line with its field and reason, imports the valid lines and exits with 1', async () => {
    const good = { title: 'Good', start_date: '2027-01-01', end_date: '2027-01-02' };
    const { code, stdout, stderr } = await importLines([
      good,
      '{"title": ',
      { title: 'No dates' },
      { ...good, title: 'Backwards', end_date: '2026-01-01', website: 'no address', venue: { city: 'X' } },
      '',
      { ...good, title: 'Good, too' },
    ]);
    expect(stdout).toContain('2 events added, 0 already there, 3 lines rejected');
    expect(stderr.split('\n')).toEqual(
      expect.arrayContaining([
        'line 2, column 11: Invalid JSON. Expected a value: text in double quotes, a number, true, false, null, an object or a list.',
        'line 3, column 1 ("No dates"): start_date is required. Expected for example "2027-03-10 20:00".',
        'line 3, column 1 ("No dates"): end_date is required. Expected for example "2027-03-10 23:30".',
        'line 4, column 59 ("Backwards"): end_date must not be before start_date. Found "2026-01-01".',
        'line 4, column 82 ("Backwards"): website is not a valid URL. Found "no address". Expected for example "https://jazz.example/".',
        'line 4, column 103 ("Backwards"): venue.venue is required. Expected for example "Grand Hall".',
      ]),
    );
    expect(code).toBe(1);
  });

  it('reuses the records of earlier lines, also of the batch that is still being written', async () => {
    const lines = Array.from({ length: 600 }, (_, n) => ({
      title: `Line ${n}`,
      start_date: n === 450 ? 'never' : '2027-01-01',
      end_date: '2027-01-02',
      venue: { venue: 'Great Hall', city: 'Lyon' },
      organizer: [{ organizer: 'Ann' }],
      // The slug refers to the category only after the category exists.
      categories: [n < 200 ? 'Live Music' : 'live-music'],
      tags: [n % 2 === 0 ? 'Red' : 'red'],
      external_id: n % 500,
    }));
    const { stdout, stderr, code } = await importLines(lines);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^line 451, column \d+ \("Line 450"\): start_date is not a date .+ Found "never"\./m),
    ]);
    expect(stdout).toContain('499 events added, 100 already there, 1 line rejected');
    expect(stdout).toContain('new: 1 venue, 1 organizer, 1 category, 1 tag');
  });

  it('identifies a line by its external_id, or by its content in any order of members', async () => {
    const one = { title: 'One', start_date: '2027-01-01', end_date: '2027-01-02' };
    const turned = { end_date: '2027-01-02', start_date: '2027-01-01', title: 'One' };
    const named = { ...one, external_id: 'a-1' };
    const { stdout } = await importLines([
      one,
      turned,
      named,
      { ...named, title: 'Another title' },
      { ...one, external_id: 'a-2' },
    ]);
    expect(stdout).toContain('3 events added, 2 already there, 0 lines rejected');
  });

  it('treats an empty external_id as absent, and rejects lines and texts that are too long', async () => {
    const one = { title: 'One', start_date: '2027-01-01', end_date: '2027-01-02', external_id: '' };
    const long = (letters: number) => ({ ...one, title: 'Long', description: 'x'.repeat(letters) });
    const lines = [one, { ...one, title: 'Two' }, long(1_100_000), long(300_000)];
    const { code, stdout, stderr } = await importLines(lines);
    expect(stdout).toContain('2 events added, 0 already there, 2 lines rejected');
    expect(stderr).toContain('line 3: The request body is too large.');
    expect(stderr).toMatch(/line 4, column \d+ \("Long"\): description must not be longer than 262144 bytes as JSON\./);
    expect(code).toBe(1);
  });

  it('imports a line again after its event was deleted for good, not while it is in the trash', async () => {
    const token = 'a token of the operator of 32 characters or more'.replaceAll(' ', '-');
    const line = { title: 'Come back', start_date: '2027-01-01', end_date: '2027-01-02' };
    await runCommand(['migrate'], settings(), folder);
    const server = await startServer({ ...settings(), KALENDS_ADMIN_TOKEN: token }, folder);
    await importLines([line]);
    const client = new Client(server.port, '/calendar/events/v1');
    const { body } = await client.get('/events?search=back');
    const id = body.events[0].id as number;
    expect((await client.delete(`/events/${id}`, token)).status).toBe(200);
    expect((await importLines([line])).stdout).toContain('0 events added, 1 already there');
    expect((await client.delete(`/events/${id}?force=true`, token)).status).toBe(200);
    expect((await importLines([line])).stdout).toContain('1 event added, 0 already there');
    await server.stop();
  });

  it('--dry-run checks everything and writes nothing', async () => {
    const line = { title: 'Dry', start_date: '2027-01-01', end_date: '2027-01-02', categories: ['New'] };
    const { code, stdout } = await importLines([line, line, { title: 'Bad' }], '--dry-run');
    expect(stdout).toContain('1 event would be added, 1 already there, 1 line rejected');
    expect(code).toBe(1);
    expect(await total('/events')).toBe(0);
    expect(await total('/categories?hide_empty=false')).toBe(0);
  });

  it('accepts lines from a calendar response only with --ids-are-ours', async () => {
    const line = { title: 'One', start_date: '2027-01-01', end_date: '2027-01-02', global_id: 'x' };
    expect((await importLines([line])).code).toBe(1);
    const { code, stdout } = await importLines([line], '--ids-are-ours');
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 event added')]);
  });

  it('imports JSON arrays and pretty-printed objects; a broken one does not hide the others', async () => {
    const dates = { start_date: '2027-01-01', end_date: '2027-01-02' };
    const events = ['One', 'Two', 'Three'].map((title) => ({ ...dates, title, cost: ['[', '}'] }));
    const importText = (text: string) => {
      const file = join(folder, 'events.json');
      writeFileSync(file, text);
      return runCommand(['import', file], settings(), folder);
    };
    const pretty = JSON.stringify(events, null, 2);
    expect((await importText(pretty)).stdout).toContain('3 events added, 0 already there, 0 lines rejected');
    const known = 'new: 0 venues, 0 organizers, 0 categories, 0 tags';
    for (const text of [JSON.stringify(events), events.map((one) => JSON.stringify(one, null, '\t')).join('\n')]) {
      const { stdout, stderr } = await importText(text);
      expect([stdout, stderr]).toEqual([`0 events added, 3 already there, 0 lines rejected\n${known}\n`, '']);
    }
    const broken = await importText(pretty.replace('"title": "Two"', '"title": Two').replace('"Three"', '"Four"'));
    expect(broken.stdout).toContain('1 event added, 1 already there, 1 line rejected');
    expect(broken.stderr).toContain('line 14, column 14: Invalid JSON. Expected a value');
    const cut = await importText(pretty.slice(0, -2));
    expect(cut).toMatchObject({ code: 1, stderr: expect.stringContaining('the array has no end') });
    const list = await importText(JSON.stringify({ events, total: 3 }));
    expect(list.stderr).toContain('line 1, column 11: events: the line is a list of events, not one event.');
    const other = await importText('[1,\n "text"]');
    expect(other.stderr.split('\n').slice(0, 2)).toEqual([
      'line 1, column 2: Each line or item must be a JSON object. Found 1.',
      'line 2, column 2: Each line or item must be a JSON object. Found "text".',
    ]);
  });

  it('says which file it cannot read', async () => {
    for (const file of [join(folder, 'nothing.jsonl'), folder]) {
      const { code, stderr } = await runCommand(['import', file], settings(), folder);
      expect(stderr).toMatch(new RegExp(`^${file} cannot be read: .*\n$`, 'm'));
      expect(code).toBe(1);
    }
  });
});
