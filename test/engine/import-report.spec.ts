import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ImportCommand, type ImportOptions } from '../../src/transfer/import.command.js';
import { startApp, type TestApp } from '../support/app.js';
import { emptyFolder } from '../support/process.js';
import { told } from '../support/told.js';

describe('kalends import: report of rejected lines and altered values', () => {
  let service: TestApp;
  const folder = emptyFolder();
  beforeEach(async () => (service = await startApp()));
  afterEach(() => service.close());

  const importLines = (lines: readonly unknown[], options: Partial<ImportOptions> = {}) => {
    const file = join(folder, 'lines.jsonl');
    writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
    const command = service.app.get(ImportCommand);
    return told(() => command.run(file, { dryRun: false, idsAreOurs: false, ...options }));
  };

  it('rejects lines from a response of a calendar unless --ids-are-ours is set', async () => {
    const dates = { start_date: '2027-01-01', end_date: '2027-01-02' };
    const venue = { id: 1, venue: 'Tokyo Dome' };
    const lines = [
      { ...dates, title: 'Ours', venue: { venue: 'Our hall' } },
      { ...dates, id: 3, global_id: 'other.example?id=3', rest_url: 'https://other.example/3', title: 'A', venue },
      { ...dates, title: 'B', organizer: [{ organizer: 'Ann' }, { id: 1, rest_url: 'https://other.example/1' }] },
      { ...dates, title: 'They have a "global_id"' },
      { ...dates, title: 'C', categories: [{ id: 1, name: 'Jazz', term_taxonomy_id: 1 }] },
    ];
    const refused = await importLines(lines, { dryRun: true });
    const reason = 'the line comes from the answer of a calendar, whose ids mean other records here.';
    expect(refused.stderr).toMatch(new RegExp(`^line 2, column 71 \\("A"\\): global_id: ${reason}`, 'm'));
    expect(refused.stderr).toMatch(new RegExp(`^line 3, column \\d+ \\("B"\\): organizer.rest_url: ${reason}`, 'm'));
    expect(refused.stderr).toMatch(
      new RegExp(`^line 5, column \\d+ \\("C"\\): categories.term_taxonomy_id: ${reason}`, 'm'),
    );
    expect([refused.result, refused.stdout]).toEqual([
      3,
      '2 events would be added, 0 already there, 3 lines rejected\n',
    ]);
    expect((await importLines(lines.slice(0, 2))).stdout).toContain('1 event added, 0 already there, 1 line rejected');
    const { result, stdout, stderr } = await importLines(lines.slice(0, 2), { idsAreOurs: true });
    expect([result, stdout]).toEqual([0, expect.stringContaining('1 event added, 1 already there, 0 lines rejected')]);
    expect(stderr).toContain('unknown members, and how often: id (1), global_id (1), rest_url (1), venue.venue (1)\n');
    expect((await service.client.get('/events?venue=1')).body.total).toBe(2);
  });

  it('reports the lines in their order, whatever is wrong with them', async () => {
    const dates = { start_date: '2027-01-01', end_date: '2027-01-02' };
    const foreign = { ...dates, title: 'A', rest_url: 'https://other.example/1' };
    const { stderr } = await importLines([
      { title: 'No dates' },
      foreign,
      '{',
      { ...dates, title: 'B', venue: 9 },
      foreign,
    ]);
    expect(stderr.match(/^line \d/gm)).toEqual(['line 1', 'line 1', 'line 2', 'line 3', 'line 4', 'line 5']);
  });

  it('imports events of another calendar that examples/from-another-calendar.mjs has converted', async () => {
    const page = 'https://other.example/event/fire-ice/';
    const venue = {
      ...{ id: 1, global_id: 'other.example?type=venue&id=1', url: 'https://other.example/venue/dome/', author: 2 },
      ...{
        venue: 'Tokyo&#8217;s Dome',
        slug: 'dome',
        city: 'T&ocirc;kyo',
        website: 'https://other.example/venue/dome/',
      },
    };
    const other = {
      ...{ id: 1, global_id: 'other.example?id=1', global_id_lineage: [], author: 7, status: 'publish', url: page },
      ...{
        rest_url: 'https://other.example/wp-json/tribe/events/v1/events/1',
        website: page,
        title: 'Fire &#038; Ice',
      },
      ...{ date_utc: '2026-01-02 03:04:05', start_date: '2027-01-01 20:00:00', end_date: '2027-01-01 22:00:00' },
      ...{
        timezone: 'Asia/Tokyo',
        description: '<p>Fire &amp; ice</p>',
        image: false,
        cost: '&yen;5000',
        slug: 'fire-ice',
      },
      ...{ venue, organizer: [{ id: 1, organizer: 'Ann &amp; Bob', email: 'a@b.example' }], post_parent: 12 },
      ...{ categories: [{ id: 1, name: 'Rock &amp; Roll', slug: 'rock' }], tags: [], json_ld: {} },
    };
    const events = [
      other,
      { ...other, id: 2, global_id: 'other.example?id=2', slug: 'bare', venue: [], organizer: [] },
    ];
    const file = join(folder, 'page-1.json');
    writeFileSync(file, JSON.stringify({ events, total: 2 }));
    const script = join(process.cwd(), 'examples', 'from-another-calendar.mjs');
    const lines = execFileSync(process.execPath, [script, file], { encoding: 'utf8' }).trimEnd().split('\n');
    await importLines(['{"title":"Ours","start_date":"2027-02-01","end_date":"2027-02-02","venue":{"venue":"Ours"}}']);
    for (const sum of ['2 events added, 0 already there', '0 events added, 2 already there']) {
      const { result, stdout, stderr } = await importLines(lines);
      expect([result, stderr, stdout]).toEqual([0, '', expect.stringContaining(`${sum}, 0 lines rejected`)]);
    }
    const { body } = await service.client.get('/events/by-slug/fire-ice');
    expect(body).toMatchObject({
      ...{ title: 'Fire & Ice', website: '', utc_start_date: '2027-01-01 11:00:00', cost: '¥5000' },
      venue: { venue: 'Tokyo’s Dome', city: 'Tôkyo' },
      organizer: [{ organizer: 'Ann & Bob', email: 'a@b.example' }],
      categories: [{ name: 'Rock & Roll' }],
    });
    expect(body.venue).not.toHaveProperty('website');
  });

  it('reports the first 20 values altered by cleaning, their number, and members without a field', async () => {
    const dates = { start_date: '2027-01-01', end_date: '2027-01-02' };
    const line = {
      ...dates,
      title: 'A <b>bold</b> title',
      description: `Plain & long text\n\n${'x'.repeat(200)}<script>alert(1)</script> end`,
      excerpt: '<p>as it is <br/>kept</p>',
      cost: ['20€', '<i>Free</i>'],
      tags: 'red, blue',
      categories: [{ id: 1 }, 'One<br>two'],
      venue: [{ venue: 'Hall', city: 'Ber<wbr>n', colour: 'red', adress: 'Main Street' }],
      password: 'ignored',
      zip: 7,
    };
    const first = { ...dates, title: 'First', categories: ['Music'] };
    const more = Array.from({ length: 30 }, (_, n) => ({ ...dates, title: `<b>${n}</b>`, password: 'x' }));
    // The unknown members of rejected lines count, too: a misspelt name may be why they were rejected.
    const bad = { ...dates, titel: 'Bad', zip: 1, startDate: '2027-01-01', end: '2027-01-02' };
    expect((await importLines([first])).stderr).toBe('');
    const told = (await importLines([line, bad, ...more, line])).stderr.trimEnd().split('\n');
    expect(told.filter((text) => text.startsWith('line 1:'))).toEqual([
      'line 1: title: "A <b>bold</b> title" is kept as "A bold title"',
      expect.stringMatching(/^line 1: description: "…x{30}<script>alert\(1\)<\/script> end" is kept as "…x{30} end"$/),
      'line 1: cost: "20€, <i>Free</i>" is kept as "20€, Free"',
      'line 1: categories: "1, One<br>two" is kept as "1, Onetwo"',
      'line 1: venue.city: "Ber<wbr>n" is kept as "Bern"',
    ]);
    expect(told.filter((text) => text.includes('is kept as'))).toHaveLength(20);
    expect(told.slice(-2)).toEqual([
      '35 values kept otherwise than in the file',
      'unknown members, and how often: password (31), zip (2), venue.colour (1), venue.adress (1; did you mean venue.address?), titel (1; did you mean title?), startDate (1; did you mean start_date?), end (1; did you mean end_date?)',
    ]);
    expect(told).toContain('line 2, column 1: title is required. Expected for example "Jazz & Wine".');
  });

  it('shows a venue as records have it where a line has its name only', async () => {
    const named = { title: 'Named', start_date: '2027-01-01', end_date: '2027-01-02', venue: 'Hall' };
    const { stderr } = await importLines([named]);
    expect(stderr).toContain(
      'venue must be a list of ids or of records with their data. Found "Hall". ' +
        'Expected for example [{"venue":"Blue Room","city":"Lyon"}].',
    );
  });
});
