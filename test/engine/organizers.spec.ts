import { EventLinkKinds } from '../../src/events/event.link-kinds.js';
import { ORGANIZER } from '../../src/organizers/organizer.kind.js';
import { startApp, type TestApp } from '../support/app.js';
import { describeLinkedPosts } from '../shared/linked-post.cases.js';

const HEAD = ['id', 'author', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'url', 'organizer'];
const TAIL = ['global_id', 'global_id_lineage'];

const FULL = {
  organizer: 'Bob',
  description: '<p>Runs things</p>',
  phone: '+1 555 0101',
  website: 'https://bob.example.org',
  email: 'bob@example.com',
  image: 'https://example.com/bob.jpg',
};

describeLinkedPosts({
  kind: ORGANIZER,
  full: FULL,
  members: [...HEAD, 'description', 'slug', 'image', 'phone', 'website', 'email', ...TAIL],
  fewest: [...HEAD, 'slug', ...TAIL],
  jsonLd: () => ({
    '@type': 'Person',
    name: 'Bob',
    description: 'Runs things',
    image: 'https://example.com/bob.jpg',
    url: 'https://bob.example.org',
    telephone: '+1 555 0101',
    email: 'bob@example.com',
    sameAs: 'https://bob.example.org',
  }),
  optional: Object.keys(FULL).filter((field) => field !== 'organizer'),
  linksOf: (service) => service.app.get(EventLinkKinds).links.organizer,
});

describe('rules for organizers only', () => {
  let service: TestApp;

  beforeEach(async () => {
    service = await startApp();
  });

  afterEach(() => service.close());

  const post = (body: object) => service.client.post('/organizers', body, service.tokens.adm);
  const found = async (search: string): Promise<string[]> => {
    const { body } = await service.client.get(`/organizers?search=${encodeURIComponent(search)}`);
    return (body.organizers as { organizer: string }[]).map(({ organizer }) => organizer);
  };

  test('VO-07: a search finds phone, e-mail and website', async () => {
    await post({ organizer: 'One', phone: '+1 555 0101', email: 'ann@common.com', website: 'http://one.com' });
    await post({ organizer: 'Two', phone: '+2 555 0102', email: 'bob@common.com', website: 'http://two.com' });
    expect(await found('0101')).toEqual(['One']);
    expect(await found('555')).toEqual(['Two', 'One']);
    expect(await found('common.com')).toEqual(['Two', 'One']);
    expect(await found('@common.com')).toEqual(['Two', 'One']);
    expect(await found('http://one.com')).toEqual(['One']);
  });

  test('VO-23: validates and trims an e-mail address, and clears it by ""', async () => {
    for (const email of ['foo', 'a@b']) {
      const { body } = await post({ organizer: 'A', email });
      expect(body.data.details.email.code).toBe('rest_invalid_email');
    }
    const { body } = await post({ organizer: 'A', email: ' a@b.example ' });
    expect(body.email).toBe('a@b.example');
    const cleared = await service.client.put(`/organizers/${body.id}`, { email: '' }, service.tokens.adm);
    expect(cleared.body).not.toHaveProperty('email');
    expect((await post({ organizer: 'B', email: '' })).body).not.toHaveProperty('email');
  });

  test('VO-15: creates a new organizer for another phone', async () => {
    const first = await post({ organizer: 'Ann', phone: '1' });
    expect((await post({ organizer: 'ANN' })).body).toEqual(first.body);
    expect((await post({ organizer: 'Ann', phone: '2' })).status).toBe(201);
  });
});
