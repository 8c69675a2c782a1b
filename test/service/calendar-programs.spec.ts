import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toUtc } from '../../src/kernel/time/calendar-time.js';
import { readCalendar } from '../support/calendar.js';
import { useApp } from '../support/events.js';
import { emptyFolder } from '../support/process.js';
import { insertEvents } from '../support/rows.js';

/** Programs of others that read the feed: `apt-get install khal vdirsyncer libical3 python3-icalendar`. */
const PROGRAMS = ['khal', 'vdirsyncer'];
const PYTHON = '/usr/bin/python3';
/** `npm run nightly` sets 5,000. */
const COUNT = Number(process.env.CALENDAR_EVENTS ?? 30);

const run = promisify(execFile);

const ZONES = [
  ...[
    'Europe/Paris',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'America/Sao_Paulo',
    'Asia/Tokyo',
  ],
  ...['Asia/Kathmandu', 'Europe/Dublin', 'Pacific/Apia', 'America/St_Johns', 'UTC', 'UTC+5:30'],
];

const app = useApp({ ICAL_MOST: '20000' });
let folder: string;

function isInstalled(): boolean {
  try {
    for (const program of PROGRAMS) execFileSync('which', [program]);
    execFileSync(PYTHON, ['-c', 'import icalendar, ctypes; ctypes.CDLL("libical.so.3")'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Writes events over the zones, over days and hours, some of them all-day, with titles that need escaping. */
function rows() {
  return Array.from({ length: COUNT }, (_, index) => {
    const timezone = ZONES[index % ZONES.length]!;
    const day = new Date(Date.UTC(2026, 11, 1 + (index % 400))).toISOString().slice(0, 10);
    const hour = String(4 + (index % 18)).padStart(2, '0');
    const start_local = index % 10 === 9 ? `${day} 00:00:00` : `${day} ${hour}:30:00`;
    const end_local = index % 10 === 9 ? `${day} 23:59:59` : `${day} ${hour}:45:00`;
    return {
      title: `Event ${index}; a, b \\ c "d" Ωπ 😀`,
      description: `<p>Line</p><p>${'long text, '.repeat(index % 30)}</p>`,
      timezone,
      start_local,
      end_local,
      start_utc: toUtc(start_local, timezone),
      end_utc: toUtc(end_local, timezone),
      all_day: index % 10 === 9 ? (1 as const) : (0 as const),
    };
  });
}

describe.skipIf(!isInstalled())('programs of others read GET /events.ics', () => {
  let text: string;
  /** By uid: the title, and the start in seconds; null: all-day. */
  let expected: Map<string, [title: string, start: number | null]>;
  const url = () => `http://127.0.0.1:${app().client.port}${app().client.mount}/events.ics`;

  beforeAll(async () => {
    folder = emptyFolder();
    await insertEvents(app(), rows());
    const reply = await app().client.get('/events.ics');
    text = reply.text;
    const { events } = (await app().client.get('/events?per_page=100&_fields=id')).body;
    expect(events.length).toBe(Math.min(100, COUNT));
    const instance = /^UID:\d+-(\w+)@/m.exec(text)![1];
    expected = new Map(
      rows().map((row, index) => [
        `${index + 1}-${instance}@kalends`,
        [row.title, row.all_day === 1 ? null : Date.parse(`${row.start_utc.replace(' ', 'T')}Z`) / 1000],
      ]),
    );
    writeFileSync(join(folder, 'events.ics'), text);
  }, 600_000);

  test('ICS-02: ical.js, libical and python-icalendar read every event, libical without errors', async () => {
    const byIcalJs = readCalendar({ status: 200, text });
    expect(
      new Map(byIcalJs.map(({ uid, title, start, lines }) => [uid, [title, allDay(lines) ? null : start / 1000]])),
    ).toEqual(expected);
    const script = join(import.meta.dirname, '../support/read-calendar.py');
    const { stdout } = await run(PYTHON, [script, join(folder, 'events.ics')], { maxBuffer: 1e8 });
    const read = JSON.parse(stdout) as Record<string, { errors: number; events: Read[] }>;
    for (const name of ['libical', 'icalendar']) {
      const { errors, events } = read[name]!;
      expect([name, errors, events.length]).toEqual([name, 0, COUNT]);
      expect(new Map(events.map(({ uid, title, start }) => [uid, [title, start]]))).toEqual(expected);
    }
  }, 600_000);

  test('ICS-32: khal imports every event', async () => {
    const calendar = join(folder, 'khal');
    mkdirSync(calendar);
    const config = join(folder, 'khal.conf');
    writeFileSync(
      config,
      `[calendars]\n[[feed]]\npath = ${calendar}\n[sqlite]\npath = ${join(folder, 'khal.db')}\n[locale]\n` +
        'local_timezone = UTC\ndefault_timezone = UTC\ntimeformat = %H:%M\ndateformat = %Y-%m-%d\n' +
        'longdateformat = %Y-%m-%d\ndatetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n',
    );
    await run('khal', ['-c', config, 'import', '--batch', '-a', 'feed', join(folder, 'events.ics')], SPACIOUS);
    expect(valuesIn(calendar, 'UID')).toEqual(valuesOf([text], 'UID'));
  }, 600_000);

  test('ICS-32: vdirsyncer copies every event, and its second run changes nothing', async () => {
    const copies = join(folder, 'copies');
    mkdirSync(copies);
    const config = join(folder, 'vdirsyncer.conf');
    writeFileSync(
      config,
      `[general]\nstatus_path = "${folder}/status/"\n[pair feed]\na = "web"\nb = "disk"\ncollections = null\n` +
        `[storage web]\ntype = "http"\nurl = "${url()}"\n[storage disk]\ntype = "filesystem"\npath = "${copies}"\nfileext = ".ics"\n`,
    );
    const sync = (command: string) => run('vdirsyncer', ['-c', config, command], SPACIOUS);
    await sync('discover');
    await sync('sync');
    // It gives events of a web address UIDs of its own.
    expect(valuesIn(copies, 'SUMMARY')).toEqual(valuesOf([text], 'SUMMARY'));
    const states = () => readdirSync(copies).map((name) => [name, statSync(join(copies, name)).mtimeMs]);
    const before = states();
    const again = await sync('sync');
    expect(states()).toEqual(before);
    expect(again.stdout + again.stderr).not.toMatch(/Copying|Deleting|conflict/i);
  }, 600_000);
});

const SPACIOUS = { maxBuffer: 1e8 };

interface Read {
  readonly uid: string;
  readonly title: string;
  readonly start: number | null;
}

function allDay(lines: (name: string) => string[]): boolean {
  return lines('DTSTART').some((line) => line.includes('VALUE=DATE'));
}

/** Returns the values of a property in the files of a folder, sorted. */
function valuesIn(path: string, name: string): string[] {
  const files = readdirSync(path).map((file) => readFileSync(join(path, file), 'utf8'));
  expect(files).toHaveLength(COUNT);
  return valuesOf(files, name);
}

function valuesOf(texts: readonly string[], name: string): string[] {
  const lines = texts.flatMap((text) => text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/));
  return lines.filter((line) => line.startsWith(`${name}:`)).sort();
}
