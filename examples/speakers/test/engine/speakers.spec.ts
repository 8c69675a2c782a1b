import { EventLinkKinds } from '../../src/events/event.link-kinds.js';
import { SPEAKER } from '../../src/speakers/speaker.kind.js';
import { describeLinkedPosts } from '../shared/linked-post.cases.js';
import { startApp, type TestApp } from '../support/app.js';
import { E } from '../support/factories.js';

const HEAD = ['id', 'author', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'url', 'speaker'];
const TAIL = ['global_id', 'global_id_lineage'];

const FULL = {
  speaker: 'Grace',
  description: '<p>Wrote the first compiler</p>',
  topic: 'Compilers',
  phone: '+1 555 0102',
  website: 'https://grace.example.org',
  image: 'https://example.com/grace.jpg',
};

// Speakers follow all rules of venues and organizers.
describeLinkedPosts({
  kind: SPEAKER,
  full: FULL,
  members: [...HEAD, 'description', 'slug', 'image', 'topic', 'phone', 'website', ...TAIL],
  fewest: [...HEAD, 'slug', ...TAIL],
  jsonLd: () => ({
    '@type': 'Person',
    name: 'Grace',
    description: 'Wrote the first compiler',
    image: 'https://example.com/grace.jpg',
    url: 'https://grace.example.org',
    sameAs: 'https://grace.example.org',
  }),
  optional: Object.keys(FULL).filter((field) => field !== 'speaker'),
  linksOf: (service) => service.app.get(EventLinkKinds).links.speaker,
});

describe('speakers of events', () => {
  let service: TestApp;
  beforeEach(async () => {
    service = await startApp();
  });
  afterEach(() => service.close());

  const names = (body: { speaker: { speaker: string }[] }) => body.speaker.map(({ speaker }) => speaker);

  test('POST /events creates them inline, links them by id, and shows them in the order sent', async () => {
    const { client, tokens } = service;
    const grace = (await client.post('/speakers', { speaker: 'Grace' }, tokens.adm)).body;
    const speaker = [{ speaker: 'Ada', topic: 'Engines' }, grace.id];
    const { status, body } = await client.post('/events', { ...E, speaker }, tokens.adm);
    expect([status, names(body)]).toEqual([201, ['Ada', 'Grace']]);
    expect(names((await client.get(`/events/${body.id}`)).body)).toEqual(['Ada', 'Grace']);
    expect((await client.get('/speakers?search=engines')).body.speakers).toMatchObject([{ speaker: 'Ada' }]);
  });

  test('GET /events?speaker= lists the events of any of them; links carry the filter', async () => {
    const { client, tokens } = service;
    const make = async (title: string, speaker: unknown) =>
      (await client.post('/events', { ...E, title, speaker }, tokens.adm)).body;
    const [first] = [await make('One', { speaker: 'Ada' }), await make('Two', { speaker: 'Grace' })];
    await make('Three', undefined);
    const { body } = await client.get(`/events?speaker=${first.speaker[0].id}`);
    expect(body.events.map(({ title }: { title: string }) => title)).toEqual(['One']);
    expect(body.rest_url).toContain(`&speaker=${first.speaker[0].id}`);
    const unknown = await client.get('/events?speaker=99');
    expect(unknown.body.data.params).toHaveProperty('speaker');
  });

  test('GET /speakers?topic= lists those with the topic; links carry the filter', async () => {
    const { client, tokens } = service;
    for (const [speaker, topic] of [
      ['Ada', 'Engines'],
      ['Grace', 'Compilers'],
      ['Fran', 'Compilers'],
    ])
      await client.post('/speakers', { speaker, topic }, tokens.adm);
    const first = (await client.get('/speakers?topic=Compilers&per_page=1')).body;
    expect([first.total, first.speakers[0].topic]).toEqual([2, 'Compilers']);
    const next = (await client.get(`/speakers?${new URL(first.next_rest_url).search.slice(1)}`)).body;
    expect([next.total, next.speakers[0].topic]).toEqual([2, 'Compilers']);
    expect((await client.get('/speakers?topic=engines')).body.total).toBe(0);
    expect((await client.get('/speakers?topic=')).status).toBe(400);
    expect((await client.get('/doc')).body.paths['/speakers'].get.parameters).toContainEqual(
      expect.objectContaining({ name: 'topic' }),
    );
  });

  test('an update replaces them, rejects unknown ones, and unlinks them; an invalid one changes nothing', async () => {
    const { client, tokens } = service;
    const { id } = (await client.post('/events', { ...E, speaker: { speaker: 'Ada' } }, tokens.adm)).body;
    const put = (body: object) => client.put(`/events/${id}`, body, tokens.adm);
    expect(names((await put({ speaker: { speaker: 'Grace' } })).body)).toEqual(['Grace']);
    expect((await put({ title: 'Other' })).body.speaker).toHaveLength(1);
    expect((await put({ speaker: 99 })).body.data.params).toHaveProperty('speaker');
    expect((await put({ speaker: { speaker: 'Eve', website: 'nowhere' } })).status).toBe(400);
    expect((await client.get('/speakers?search=eve')).body.total).toBe(0);
    expect((await put({ speaker: [] })).body.speaker).toEqual([]);
  });

  test('the index and the document list them', async () => {
    const { client } = service;
    expect((await client.get('')).body.routes).toHaveProperty(['/calendar/events/v1/speakers']);
    const { paths } = (await client.get('/doc')).body;
    expect(paths['/speakers/{id}'].get.responses['404'].description).toContain('rest-speaker-not-found');
    expect(paths['/events'].get.parameters.map(({ name }: { name: string }) => name)).toContain('speaker');
  });
});
