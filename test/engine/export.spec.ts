import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/database/database.js';
import { TABLES } from '../../src/database/sql/tables.js';
import { ExportCommand } from '../../src/transfer/export.command.js';
import { ImportCommand } from '../../src/transfer/import.command.js';
import { startApp, type TestApp } from '../support/app.js';
import { readCalendar } from '../support/calendar.js';
import { category, event, organizer, tag, venue } from '../support/factories.js';
import { emptyFolder, runCli } from '../support/process.js';
import { told } from '../support/told.js';

type Line = Record<string, unknown>;

describe('kalends export', () => {
  let apps: TestApp[];
  let folder: string;
  /** The warnings of the last export. */
  let notes: string[];
  beforeEach(() => {
    apps = [];
    folder = emptyFolder();
  });
  afterEach(() => Promise.all(apps.map((app) => app.close())));

  const start = async () => {
    const app = await startApp({ FAILED_ATTEMPTS: '1000' });
    apps.push(app);
    return app;
  };
  const exportText = async ({ app }: TestApp) => {
    const { stdout, stderr } = await told(() => app.get(ExportCommand).run('-'));
    expect(stderr).toMatch(/^\d+ categor(y|ies), .* \d+ events? exported\n$/m);
    notes = stderr.trimEnd().split('\n').slice(0, -1);
    return stdout;
  };
  const importText = async ({ app }: TestApp, text: string, dryRun = false) => {
    const file = join(folder, 'lines.jsonl');
    writeFileSync(file, text);
    const { stderr, ...rest } = await told(() => app.get(ImportCommand).run(file, { dryRun, idsAreOurs: false }));
    // An import on a busy machine takes long enough to report its progress.
    return { ...rest, stderr: stderr.replace(/^\d+ lines \(\d+ %\)\n/gm, '') };
  };
  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);

  /** Creates records that use every field of an export. */
  const fill = async ({ client, tokens: { adm: TOKEN }, userIds }: TestApp) => {
    const edith = { author: userIds.edi };
    const music = await category(client, TOKEN, { name: 'Music', description: 'All of it' });
    // A child with a lower id than its parent.
    const jazz = await category(client, TOKEN, { name: 'Jazz' });
    const genres = await category(client, TOKEN, { name: 'Genres', slug: '2024' });
    await client.put(`/categories/${jazz.id}`, { parent: genres.id }, TOKEN);
    await client.put(`/categories/${genres.id}`, { parent: music.id }, TOKEN);
    const outdoor = await tag(client, TOKEN, { name: 'Out door & <more', slug: 'out' });
    await tag(client, TOKEN, { name: 'Nobody uses me' });
    const hall = await venue(client, TOKEN, {
      ...edith,
      venue: 'Hall',
      description: 'Big\n\nhall',
      status: 'private',
      date_utc: '2020-01-02 03:04:05',
      address: '1 Main St',
      city: '東京',
      stateprovince: 'own',
      zip: '007',
      phone: '0',
      website: 'https://hall.example/ü',
      image: 'https://hall.example/a.png',
      show_map: false,
      geo_lat: -0.5,
      geo_lng: 179.123456789,
    });
    // Equal in all but the slug.
    const one = await venue(client, TOKEN, { venue: 'Twin', slug: 'twin' });
    const other = await venue(client, TOKEN, { venue: 'Twin', slug: 'other-twin' });
    const gone = await venue(client, TOKEN, { venue: 'Gone', status: 'trash' });
    const ann = await organizer(client, TOKEN, {
      organizer: 'Ann',
      email: 'ann@example.com',
      website: 'https://a.example',
    });
    const bob = await organizer(client, TOKEN, { organizer: 'Bob', status: 'draft' });
    const full = await event(client, TOKEN, {
      ...edith,
      title: 'Full "event" &lone',
      slug: 'own-slug',
      description: '<p>Text</p>\n\nand <b>more</b> & more',
      excerpt: 'short',
      status: 'private',
      date_utc: '2021-05-06 07:08:09',
      start_date: '2027-10-31T01:30:00Z',
      end_date: '2027-10-31 03:30:00',
      timezone: 'Europe/Paris',
      cost: ['0€', '20€', '30€', 'Donation'],
      website: 'https://x.example/?a=1&b=2',
      image: 'https://hall.example/a.png',
      show_map: true,
      show_map_link: true,
      hide_from_listings: true,
      sticky: true,
      featured: true,
      ticketed: true,
      categories: [jazz.id, music.id, genres.id],
      tags: [outdoor.id],
      venue: [other.id, hall.id, one.id],
      organizer: [bob.id, ann.id],
    });
    await client.put(`/events/${full.id}`, { password: 'open sesame' }, TOKEN);
    const bare = await event(client, TOKEN, { title: '!!!' });
    const late = await event(client, TOKEN, { title: 'Conference', status: 'draft' });
    const day = await event(client, TOKEN, { title: 'Day', post_parent: late.id, all_day: true });
    await client.put(`/events/${bare.id}`, { post_parent: day.id }, TOKEN);
    const future = { title: 'Later', date_utc: '2999-01-01', venue: gone.id };
    await event(client, TOKEN, { ...future, venue: [] });
    const trashed = await event(client, TOKEN, { title: 'Trashed', slug: 'taken-again' });
    await client.delete(`/events/${trashed.id}`, TOKEN);
    await event(client, TOKEN, { title: 'Heir', slug: 'taken-again', cost: ['Free', 'VIP - 7'] });
    const left = await event(client, TOKEN, { title: 'Left its hall', venue: [one.id] });
    const closing = await venue(client, TOKEN, { venue: 'Closing' });
    await client.put(`/events/${left.id}`, { venue: [closing.id, one.id] }, TOKEN);
    await client.delete(`/venues/${closing.id}`, TOKEN);
  };

  it('writes lines that an import into an empty database restores: a second export is identical', async () => {
    const source = await start();
    await fill(source);
    const text = await exportText(source);
    const target = await start();
    const { result, stdout, stderr } = await importText(target, text);
    expect([stderr, result]).toEqual(['', 0]);
    expect(stdout).toContain('8 events added, 0 already there, 0 lines rejected');
    expect(stdout).toContain('new: 5 venues, 2 organizers, 3 categories, 2 tags');
    expect(await exportText(target)).toBe(text);

    const again = await importText(target, text);
    expect(again.stdout).toContain('0 events added, 8 already there, 0 lines rejected');
    expect(again.stdout).toContain('new: 0 venues, 0 organizers, 0 categories, 0 tags');
    expect(await exportText(target)).toBe(text);

    const full = linesOf(text).find(({ slug }) => slug === 'own-slug');
    expect(full).toEqual({
      record: 'event',
      slug: 'own-slug',
      title: 'Full "event" &lone',
      uid: expect.stringMatching(/^\d+-[0-9a-f]{12}@kalends$/),
      status: 'private',
      author_login: 'editor4',
      date_utc: '2021-05-06 07:08:09',
      description: '<p>Text</p>\n\nand <b>more</b> &amp; more',
      image: 'https://hall.example/a.png',
      excerpt: '<p>short</p>',
      password_hash: expect.stringMatching(/^scrypt\$/),
      start_date: '2027-10-31T01:30:00Z',
      end_date: '2027-10-31 03:30:00',
      timezone: 'Europe/Paris',
      cost: ['0€', '20€', '30€', 'Donation'],
      website: 'https://x.example/?a=1&b=2',
      show_map: true,
      show_map_link: true,
      hide_from_listings: true,
      sticky: true,
      featured: true,
      ticketed: true,
      categories: ['2024', 'jazz', 'music'],
      tags: ['out'],
      venue: [
        { slug: 'other-twin', venue: 'Twin' },
        { slug: 'hall', venue: 'Hall' },
        { slug: 'twin', venue: 'Twin' },
      ],
      organizer: [
        { slug: 'bob', organizer: 'Bob' },
        { slug: 'ann', organizer: 'Ann' },
      ],
    });
    expect(text).not.toContain('open sesame');
  });

  it('TERM-17: distinguishes sibling categories and tags with equal names by their slugs', async () => {
    const source = await start();
    const { client, tokens } = source;
    const parent = await category(client, tokens.adm, { name: 'Parent' });
    await category(client, tokens.adm, { name: 'Music', slug: 'first' });
    const second = await category(client, tokens.adm, { name: 'Music', slug: 'second', parent: parent.id });
    await client.delete(`/categories/${parent.id}?force=true`, tokens.adm);
    await tag(client, tokens.adm, { name: 'Red', slug: 'red' });
    const twin = await tag(client, tokens.adm, { name: 'Blue', slug: 'crimson' });
    await source.app
      .get(Database)
      .inTransaction((tx) => tx.update(TABLES.terms, twin.id as number, { name: 'RED', name_key: 'red' }));
    await event(client, tokens.adm, { title: 'Concert', categories: [second.id], tags: [twin.id] });
    const text = await exportText(source);
    const target = await start();
    const { result, stdout, stderr } = await importText(target, text);
    expect([stderr, result]).toEqual(['', 0]);
    expect(stdout).toContain('new: 0 venues, 0 organizers, 2 categories, 2 tags');
    expect(await exportText(target)).toBe(text);
    const { body } = await target.client.get('/events/by-slug/concert');
    expect([body.categories, body.tags]).toMatchObject([[{ slug: 'second' }], [{ slug: 'crimson' }]]);
  });

  it('transfers unusual records to an empty database and reports the values that it omits', async () => {
    const source = await start();
    const { client, tokens, userIds } = source;
    const database = source.app.get(Database);
    const { adm } = tokens;
    // Terms: several scripts, digits, equal names at different depths, a slug like that of a trashed record.
    const top = await category(client, adm, { name: '日本語', slug: '日本語' });
    const middle = await category(client, adm, { name: 'Mitte', slug: '12', parent: top.id });
    await category(client, adm, { name: 'Twin', slug: 'twin', parent: top.id });
    const twin = await category(client, adm, { name: 'Twin', slug: 'twin-two', parent: middle.id });
    await client.delete(`/categories/${middle.id}?force=true`, adm);
    const odd = await tag(client, adm, { name: 'Odd', slug: 'odd__trashed' });
    const emoji = await tag(client, adm, { name: '🎷 & <jazz', description: 'a\u00a0b' });
    const nameless = await tag(client, adm, { name: '…' });
    // Venues and organizers: draft, scheduled, private and trashed ones, of several users.
    const con = { author: userIds.con };
    const hall = await venue(client, adm, { ...con, venue: 'Halle Ä', slug: 'halle-ä', status: 'draft' });
    const shut = await venue(client, adm, { venue: 'Shut', slug: 'shut' });
    const noName = await venue(client, adm, { venue: '!!!', geo_lat: 0, geo_lng: 0, show_map: true });
    const later = await organizer(client, adm, { organizer: 'Later', date_utc: '2999-01-01', email: 'a@b.example' });
    const hidden = await organizer(client, adm, { organizer: 'Hidden', status: 'private' });
    const gone = await organizer(client, adm, { organizer: 'Gone', slug: 'gone' });
    // Events.
    const image = 'https://x.example/ü.png';
    const base = await event(client, adm, {
      ...{ ...con, title: 'Überall', slug: 'オペラ', status: 'draft', categories: [twin.id, top.id], image },
      ...{ tags: [odd.id, emoji.id, nameless.id], venue: [noName.id, shut.id, hall.id], cost: ['10.5€', 'a & b'] },
      ...{ organizer: [gone.id, later.id, hidden.id], hide_from_listings: true, description: 'a\n\nb <em>c</em>' },
    });
    await client.put(`/events/${base.id}`, { password: '  open sesame  ' }, adm);
    const child = await event(client, adm, { title: '…', post_parent: base.id, timezone: 'UTC+5:30' });
    await event(client, adm, { title: 'Deep', post_parent: child.id, date_utc: '2999-01-01', author: userIds.edi });
    const { id: stranger } = await source.newUser('author');
    await event(client, adm, { title: 'Of somebody', author: stranger, status: 'pending' });
    await event(client, adm, { title: 'Fair', slug: 'fair__trashed' });
    for (const status of ['draft', 'private']) {
      const { id } = await event(client, adm, { title: 'Fair', slug: 'fair', status, venue: shut.id });
      await client.delete(`/events/${id}`, adm);
    }
    await event(client, adm, { title: 'Fair', slug: 'fair' });
    for (const path of [`/venues/${shut.id}`, `/organizers/${gone.id}`]) await client.delete(path, adm);
    await database.inTransaction((tx) => tx.execute(`UPDATE ${TABLES.images} SET width = 640, height = 480`, []));

    const text = await exportText(source);
    expect(notes).toEqual([
      'event オペラ: its link to the venue shut, which is in the trash, is not carried',
      'event オペラ: its link to the organizer gone, which is in the trash, is not carried',
      'event fair: its link to the venue shut, which is in the trash, is not carried',
      'event fair: its link to the venue shut, which is in the trash, is not carried',
      'images whose sizes are not carried, IMAGE_PROBE finds them again: 1',
      'records in the trash whose status of before is not carried: 4',
    ]);
    const target = await start();
    const { stdout, stderr } = await importText(target, text);
    expect(stderr).toBe('authors who are no users here, whose records you own now: author6\n');
    expect(stdout).toContain('8 events added, 0 already there, 0 lines rejected');
    expect(await exportText(target)).toBe(text.replace('"author6"', '"administrator5"'));
    expect(notes).toEqual(['records in the trash whose status of before is not carried: 4']);
  });

  it('exports terms that are their own ancestors; an import reports them', async () => {
    const source = await start();
    const { client, tokens } = source;
    const { id: first } = await category(client, tokens.adm, { name: 'First' });
    const { id: second } = await category(client, tokens.adm, { name: 'Second', parent: first });
    await source.app
      .get(Database)
      .inTransaction((tx) => tx.update(TABLES.terms, first as number, { parent: second as number }));
    const text = await exportText(source);
    expect(linesOf(text)).toHaveLength(2);
    const { stderr, result } = await importText(await start(), text);
    expect(result).toBe(2);
    expect(stderr).toContain('("First"): parent_slug refers to something that does not exist: second.\n');
  });

  it('its import reports values that existing terms keep and slugs that are already taken', async () => {
    const source = await start();
    const make = async ({ client, tokens: { adm } }: TestApp, fields: Line) => {
      await category(client, adm, { name: 'Music', slug: 'music', ...fields });
      await tag(client, adm, { name: 'Red', slug: 'colour' });
      await venue(client, adm, { venue: 'Hall', city: 'Bern' });
      await event(client, adm, { title: 'Fair' });
    };
    await make(source, { description: 'All of it' });
    const text = await exportText(source);
    const target = await start();
    const { client, tokens } = target;
    const { id } = await category(client, tokens.adm, { name: 'Arts' });
    await category(client, tokens.adm, { name: 'MUSIC', parent: id, description: 'Ours' });
    await tag(client, tokens.adm, { name: 'Blue', slug: 'colour' });
    await venue(client, tokens.adm, { venue: 'Other', slug: 'hall' });
    await event(client, tokens.adm, { title: 'Other', slug: 'fair' });
    const { stderr, result } = await importText(target, text);
    expect(stderr.split('\n')).toEqual([
      'line 1: name: "Music" is kept as "MUSIC"',
      'line 1: description: "All of it" is kept as "Ours"',
      'line 1: parent_slug: "" is kept as "arts"',
      'line 2: slug: "colour" is kept as "colour-2"',
      'line 3: slug: "hall" is kept as "hall-2"',
      'line 4: slug: "fair" is kept as "fair-2"',
      '6 values kept otherwise than in the file',
      '',
    ]);
    expect(result).toBe(0);
    // A second import reports nothing, because it recognizes every line.
    expect((await importText(target, text)).stderr).toBe('');
  });

  it('its import into the same database refuses changed and trashed events, whose uids are taken', async () => {
    const source = await start();
    await fill(source);
    const { client, tokens } = source;
    await client.put('/events/by-slug/bare', { featured: true }, tokens.adm);
    const text = await exportText(source);
    const changed = (await client.get('/events?search=conference&status=any', tokens.adm)).body.events[0].id as number;
    await client.put(`/events/${changed}`, { featured: true }, tokens.adm);
    const { stdout } = await importText(source, text);
    // Two events cannot have one uid. Trashed venues are imported again.
    expect(stdout).toContain('0 events added, 6 already there, 2 lines rejected');
    expect(stdout).toContain('new: 2 venues, 0 organizers, 0 categories, 0 tags');
  });

  it('its import into the same database finds a live event whose slug a trashed event had', async () => {
    const source = await start();
    const { client, tokens } = source;
    const first = await event(client, tokens.adm, { title: 'Fair', slug: 'fair' });
    await client.delete(`/events/${first.id}`, tokens.adm);
    const second = await event(client, tokens.adm, {
      title: 'Other fair',
      slug: 'fair',
      date_utc: '2026-12-01 10:00:00',
    });
    await client.delete(`/events/${second.id}`, tokens.adm);
    await client.put(`/events/${first.id}`, { status: 'publish' }, tokens.adm);
    const later = { title: 'Later', date_utc: '2026-12-01 10:00:00' };
    expect((await event(client, tokens.adm, later)).status).toBe('future');
    const text = await exportText(source);
    // At this time the scheduled event is public.
    source.setNow('2026-12-02T10:00:00Z');
    expect((await importText(source, text)).stdout).toContain('0 events added, 2 already there, 1 line rejected');
  });

  it('ICS-24: transfers the UIDs of events, and refuses those that other events have', async () => {
    const source = await start();
    for (const title of ['One', 'Two', 'Three']) await event(source.client, source.tokens.adm, { title });
    await source.client.delete('/events/2?force=true', source.tokens.adm);
    const uidsOf = async ({ client }: TestApp) =>
      Object.fromEntries(readCalendar(await client.get('/events.ics')).map(({ title, uid }) => [title, uid]));
    const text = await exportText(source);
    const target = await start();
    await event(target.client, target.tokens.adm, { title: 'Own' });
    await importText(target, text);
    const uids = await uidsOf(source);
    const imported = await uidsOf(target);
    expect(imported).toEqual({ ...uids, Own: imported.Own });
    expect(Object.keys(imported)).toHaveLength(3);
    const [first] = linesOf(text);
    const own = imported.Own!;
    const lines: Line[] = [
      { ...first, title: 'Same uid', slug: 'a' },
      { ...first, title: 'Own uid', slug: 'b', uid: own },
      { ...first, title: 'Unused own uid', slug: 'c', uid: own.replace(/^\d+/, '999') },
      { ...first, title: 'Next', slug: 'd', uid: 'meeting@example.com' },
      { ...first, title: 'Twice', slug: 'e', uid: 'meeting@example.com' },
      { ...first, title: 'Case', slug: 'f', uid: 'Meeting@example.com' },
      { ...first, title: 'Bad', slug: 'g', uid: 'a\nb' },
      { ...first, title: 'Number', slug: 'h', uid: 7 },
    ];
    const sent = lines.map((line) => JSON.stringify(line)).join('\n');
    expect((await importText(target, sent, true)).stdout).toContain('3 events');
    const { stdout, stderr } = await importText(target, sent);
    expect(stdout).toContain('2 events added, 0 already there, 6 lines rejected');
    for (const [number, reason] of [
      [1, 'uid is that of another event.'],
      [2, 'uid is that of another event.'],
      [3, 'uid is that of event 999, which no longer exists.'],
      [5, 'uid is that of another event.'],
      [7, 'uid is not a text of 1 to 255 characters in one line.'],
      [8, 'uid is not a text of 1 to 255 characters in one line.'],
    ] as const)
      expect(stderr + stdout).toMatch(new RegExp(`line ${number}, .*${reason.replaceAll('.', '\\.')}`));
    expect(await uidsOf(target)).toEqual({ ...imported, Next: 'meeting@example.com', Case: 'Meeting@example.com' });
  });

  it('imports an export of an earlier version, which has no uids, and recognizes it again', async () => {
    const source = await start();
    await event(source.client, source.tokens.adm, { title: 'One' });
    const text = await exportText(source);
    const { uid: _, ...earlier } = linesOf(text)[0]!;
    const sent = JSON.stringify(earlier);
    const target = await start();
    expect((await importText(target, sent)).stdout).toContain('1 event added, 0 already there');
    for (const again of [sent, text])
      expect((await importText(target, again)).stdout).toContain('0 events added, 1 already there');
    expect((await importText(source, sent)).stdout).toContain('0 events added, 1 already there');
  });

  it('transfers the import keys of lines, so that another import of these lines adds nothing', async () => {
    const source = await start();
    const dates = { start_date: '2027-01-01', end_date: '2027-01-02' };
    const lines = [
      { ...dates, title: 'Named', external_id: 7 },
      { ...dates, title: 'Plain' },
    ].map((line) => JSON.stringify(line));
    await importText(source, lines.join('\n'));
    const text = await exportText(source);
    const target = await start();
    await importText(target, text);
    expect(await exportText(target)).toBe(text);
    for (const again of [lines.join('\n'), text, lines.join('\n')]) {
      expect((await importText(target, again)).stdout).toContain('0 events added, 2 already there, 0 lines rejected');
    }
  });

  it.each([
    ['categories', { record: 'category', name: 'Back', slug: 'back' }, { name: 'Renamed' }],
    ['tags', { record: 'tag', name: 'Back', slug: 'back' }, { name: 'Renamed' }],
    ['venues', { record: 'venue', venue: 'Back', slug: 'back' }, { venue: 'Renamed' }],
    ['organizers', { record: 'organizer', organizer: 'Back', slug: 'back' }, { organizer: 'Renamed' }],
    [
      'events',
      { record: 'event', title: 'Back', slug: 'back', start_date: '2027-01-01', end_date: '2027-01-02' },
      { title: 'Renamed' },
    ],
  ])(
    'its lines of %s are imported again only after their records were deleted for good',
    async (path, line, renamed) => {
      const target = await start();
      const { client, tokens } = target;
      const bring = () => importText(target, `${JSON.stringify(line)}\n`);
      const ids = async () => {
        const { body } = await client.get(`/${path}?hide_empty=false&status=any,trash&per_page=50`, tokens.adm);
        return (body[path] as { id: number }[]).map(({ id }) => id);
      };
      await bring();
      const [first] = await ids();
      expect(first).toBeGreaterThan(0);
      // The import recognizes a record by its line and does not compare the fields.
      await client.put(`/${path}/${first}`, renamed, tokens.adm);
      await bring();
      expect(await ids()).toEqual([first]);
      if (path !== 'categories' && path !== 'tags') {
        await client.delete(`/${path}/${first}`, tokens.adm);
        await bring();
        expect(await ids()).toEqual([first]);
      }
      await client.delete(`/${path}/${first}?force=true`, tokens.adm);
      // A record created afterwards does not count as the imported one.
      const { record: _, ...next } = line;
      const other = await client.post(`/${path}`, { ...next, ...renamed, slug: 'another' }, tokens.adm);
      expect([other.status, other.body.id === first]).toEqual([201, false]);
      await bring();
      const third = (await ids()).filter((id) => id !== other.body.id);
      expect(third).toEqual([expect.any(Number)]);
      expect(third).not.toEqual([first]);
      await bring();
      expect(await ids()).toHaveLength(2);
    },
  );

  it('transfers an event password: the imported event requires and accepts it', async () => {
    const source = await start();
    const { id } = await event(source.client, source.tokens.adm, { title: 'Secret', description: 'inside' });
    await source.client.put(`/events/${id}`, { password: 'open sesame' }, source.tokens.adm);
    const text = await exportText(source);
    const target = await start();
    await importText(target, text);
    const { client } = target;
    const { body } = await client.get('/events');
    expect(body.events).toMatchObject([{ slug: 'secret', description: '' }]);
    const path = `/events/${body.events[0].id}`;
    expect((await client.get(path)).body.code).toBe('event-password-protected');
    expect((await client.get(`${path}?password=wrong`)).status).toBe(403);
    expect((await client.get(`${path}?password=open%20sesame`)).body.description).toBe('<p>inside</p>');

    const forged = await importText(target, text.replace(/"password_hash":"[^"]+"/, '"password_hash":"x"'));
    expect(forged.stderr).toMatch(/^line 1, column \d+ \("Secret"\): password_hash is not a stored password\.\n$/);
    expect((await client.get('/events')).body.total).toBe(1);
  });

  it('its import leaves records with equal slugs unchanged and links to the imported ones', async () => {
    const source = await start();
    const make = async ({ client, tokens: { adm } }: TestApp, city: string) => {
      const { id } = await venue(client, adm, { venue: 'Town Hall', city });
      return event(client, adm, { title: 'Fair', venue: id, categories: ['Trade'] });
    };
    const parent = await make(source, 'Bern');
    await event(source.client, source.tokens.adm, { title: 'Fair day', post_parent: parent.id });
    const text = await exportText(source);
    const target = await start();
    await make(target, 'Lyon');
    const renamed = [
      'line 2: slug: "town-hall" is kept as "town-hall-2"',
      'line 3: slug: "fair" is kept as "fair-2"',
      '2 values kept otherwise than in the file',
    ];
    for (const [dryRun, said] of [
      [true, ''] as const,
      [false, `${renamed.join('\n')}\n`] as const,
      [false, ''] as const,
    ]) {
      const { stderr, result } = await importText(target, text, dryRun);
      expect([stderr, result]).toEqual([said, 0]);
    }
    const { body } = await target.client.get('/events?orderby=id');
    const events = body.events as { id: number; slug: string; venue: { city?: string }; post_parent: number }[];
    expect(events.map(({ slug, venue: { city }, post_parent }) => [slug, city, post_parent])).toEqual([
      ['fair', 'Lyon', 0],
      ['fair-2', 'Bern', 0],
      ['fair-day', undefined, events[1]?.id],
    ]);
    expect((await target.client.get('/venues')).body.total).toBe(2);
    expect((await target.client.get('/categories')).body.total).toBe(1);
  });

  it('transfers trees of any depth and levels with more records than a page', async () => {
    const source = await start();
    const { client, tokens } = source;
    const above = { event: 0, category: 0 };
    for (let depth = 0; depth < 70; depth += 1) {
      const { id } = await event(client, tokens.adm, { title: `Level ${depth}`, post_parent: above.event });
      const { id: term } = await category(client, tokens.adm, { name: `Level ${depth}`, parent: above.category });
      Object.assign(above, { event: id, category: term });
    }
    const rows = Array.from({ length: 410 }, (_, n) => ({ title: `Wide ${n}`, start_date: '2027-01-01' }));
    const lines = rows.map((row) => JSON.stringify({ ...row, end_date: '2027-01-02' }));
    await importText(source, lines.join('\n'));
    const sql = source.app.get(Database);
    const wide = await sql.query<{ id: number }>(
      `SELECT id FROM ${TABLES.events} WHERE title LIKE 'Wide%' ORDER BY id`,
    );
    // The first half are the parents of the second half.
    await sql.inTransaction(async (tx) => {
      for (const [index, { id }] of wide.slice(205).entries()) {
        await tx.execute(`UPDATE ${TABLES.events} SET post_parent = ? WHERE id = ?`, [wide[index]!.id, id]);
      }
    });
    const text = await exportText(source);
    expect(linesOf(text).filter(({ parent_slug: parent }) => parent !== undefined)).toHaveLength(69 + 69 + 205);
    expect(linesOf(text)).toContainEqual(expect.objectContaining({ slug: 'wide-409', parent_slug: 'wide-204' }));
    const target = await start();
    const { stderr, result } = await importText(target, text);
    expect([stderr, result]).toEqual(['', 0]);
    expect(await exportText(target)).toBe(text);
  }, 60_000);

  it('keeps children with their parent where trashed and live parents share a slug', async () => {
    const source = await start();
    const { client, tokens } = source;
    for (const [parent, child] of Object.entries({ First: 'A', Second: 'B', Heir: 'C' })) {
      const { id } = await event(client, tokens.adm, { title: parent, slug: 'fair' });
      await event(client, tokens.adm, { title: child, post_parent: id });
      await event(client, tokens.adm, { title: 'Twin', slug: `twin-${child}`, post_parent: id });
      if (parent !== 'Heir') await client.delete(`/events/${id}`, tokens.adm);
    }
    const parents = async ({ app }: TestApp) => {
      const rows = await app.get(Database).query<{ child: string; parent: string }>(
        `SELECT c.title AS child, p.title AS parent FROM ${TABLES.events} c JOIN ${TABLES.events} p ON p.id = c.post_parent
         ORDER BY c.id`,
      );
      return rows.map(({ child, parent }) => `${parent}: ${child}`);
    };
    const expected = ['First: A', 'First: Twin', 'Second: B', 'Second: Twin', 'Heir: C', 'Heir: Twin'];
    expect(await parents(source)).toEqual(expected);
    const text = await exportText(source);
    const target = await start();
    const { stderr, result } = await importText(target, text);
    expect([stderr, result]).toEqual(['', 0]);
    expect(await parents(target)).toEqual(expected);
    expect(await exportText(target)).toBe(text);
    expect((await importText(target, text)).stdout).toContain('0 events added, 9 already there, 0 lines rejected');
  });

  it('its import reports unknown authors and lines that refer to missing records', async () => {
    const source = await start();
    const { id: author } = await source.newUser('author');
    const parent = await event(source.client, source.tokens.adm, { title: 'Parent', author });
    await event(source.client, source.tokens.adm, { title: 'Child', post_parent: parent.id });
    const [first, child] = (await exportText(source)).trimEnd().split('\n') as [string, string];
    const target = await start();
    const alone = await importText(target, child);
    const column = child.indexOf('"parent_slug"') + '"parent_slug":'.length + 1;
    const reason = 'parent_slug refers to something that does not exist: parent.';
    expect([alone.stderr, alone.result]).toEqual([`line 1, column ${column} ("Child"): ${reason}\n`, 1]);
    const all = await importText(target, `${first}\n${child}\n{"record":"user","login":"eve"}\n`);
    expect(all.stderr).toContain('authors who are no users here, whose records you own now: author6\n');
    expect(all.stderr).toContain('line 3, column 11: record refers to something that does not exist: user.');
    expect(all.stdout).toContain('2 events added');
  });

  it('writes a snapshot of many pages while a server writes, into a file for its owner only', async () => {
    const service = await start();
    const body = (n: number) => ({ title: `E${n}`, start_date: '2027-01-01', end_date: '2027-01-02' });
    await importText(service, Array.from({ length: 250 }, (_, n) => JSON.stringify(body(n))).join('\n'));
    const file = join(folder, 'all.jsonl');
    let written = 0;
    let isExporting = true;
    const exported = runCli(['export', file], { DATABASE_URL: service.databaseUrl }, folder);
    void exported.finally(() => (isExporting = false));
    for (; isExporting; written += 1) {
      await event(service.client, service.tokens.adm, { title: `W${written}`, tags: [`New ${written}`] });
    }
    expect(await exported).toMatchObject({ code: 0, stdout: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const lines = linesOf(readFileSync(file, 'utf8'));
    const tags = new Set(lines.filter(({ record }) => record === 'tag').map(({ slug }) => slug));
    const events = lines.filter(({ record }) => record === 'event') as { title: string; tags?: string[] }[];
    expect(events.filter(({ title }) => title.startsWith('E'))).toHaveLength(250);
    const fresh = events.filter(({ title }) => title.startsWith('W'));
    expect(fresh.length).toBeLessThan(written);
    // Each event has its own tag, which is exported too. No earlier event is missing.
    expect(fresh.map(({ title, tags: [slug = ''] = [] }) => [title, tags.has(slug)])).toEqual(
      fresh.map((_, n) => [`W${n}`, true]),
    );
    expect(tags.size).toBe(fresh.length);
  }, 60_000);

  it('fails with a message when it cannot write the file', async () => {
    const { app } = await start();
    await expect(app.get(ExportCommand).run(join(folder, 'nowhere', 'all.jsonl'))).rejects.toThrow(
      /^The export was not written to .*nowhere/,
    );
  });
});
