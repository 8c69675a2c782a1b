import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Log } from '../../src/platform/observability/log.js';
import { startApp, type TestApp } from '../support/app.js';
import { answersOf, type SocketAnswer } from '../support/socket.js';

const MOUNT = '/calendar/events/v1';
const EVENT = { title: 'T', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };
const HEAD = 'Host: localhost\r\n';
const CLOSE = `${HEAD}Connection: close\r\n\r\n`;

let service: TestApp;
let adm: string;
beforeAll(async () => {
  service = await startApp();
  adm = service.tokens.adm;
});
afterAll(() => service.close());

const sent = (parts: readonly (string | Buffer)[], pause = 0) => answersOf(service.client.port, parts, pause);
const only = (answers: SocketAnswer[]): SocketAnswer => {
  expect(answers).toHaveLength(1);
  return answers[0] as SocketAnswer;
};
const create = async (extra: object) => (await service.client.post('/events', { ...EVENT, ...extra }, adm)).body;

describe('URLs in raw UTF-8', () => {
  const slug = 'が-ж-東京';
  let id: number;
  beforeAll(async () => {
    id = (await create({ slug, title: 'Fête brûlée' })).id as number;
  });
  const line = (path: string) => `GET ${MOUNT}${path} HTTP/1.1\r\n`;

  test.each([
    ['NFC', slug],
    ['NFD', slug.normalize('NFD')],
    ['upper case', slug.toUpperCase()],
    ['partly percent-encoded', `${encodeURIComponent('が')}-ж-東京`],
  ])('TXT-08: GET by-slug with raw UTF-8 (%s) finds the event', async (_form, path) => {
    const { status, body } = only(await sent([line(`/events/by-slug/${path}`) + CLOSE]));
    expect([status, body.id]).toEqual([200, id]);
  });

  test('TXT-08: a raw slug with other letters returns 404', async () => {
    const { status, body } = only(await sent([line('/events/by-slug/か-ж-東京') + CLOSE]));
    expect([status, body.message]).toEqual([404, 'Event with slug "か-ж-東京" does not exist.']);
  });

  test('TXT-08: raw UTF-8 in the query is read as if it were escaped', async () => {
    const raw = only(await sent([line('/events/?search=brûlée&per_page=5&starts_after=2027-01-01') + CLOSE]));
    const escaped = await service.client.send('/events/?search=br%C3%BBl%C3%A9e&per_page=5&starts_after=2027-01-01', {
      headers: { host: 'localhost' },
    });
    expect([raw.status, raw.body]).toEqual([200, escaped.body]);
    expect(raw.body.total).toBe(1);
  });

  test('TXT-08: a raw URL may be split into packets at any byte', async () => {
    const bytes = Buffer.from(line(`/events/by-slug/${slug}`) + CLOSE);
    const first = Buffer.from(line('/events/by-slug/')).length - ' HTTP/1.1\r\n'.length;
    for (const at of [1, 4, first, first + 1, first + 2, first + 9, bytes.length - 3]) {
      const { status, body } = only(await sent([bytes.subarray(0, at), bytes.subarray(at)], 20));
      expect([at, status, body.id]).toEqual([at, 200, id]);
    }
    const crumbs = Array.from(bytes.subarray(0, first + 14), (byte) => Buffer.of(byte));
    const { status, body } = only(await sent([...crumbs, bytes.subarray(first + 14)], 2));
    expect([status, body.id]).toEqual([200, id]);
  });

  test('TXT-08: a write keeps its body, method and credentials in one packet and in several', async () => {
    const body = Buffer.from(JSON.stringify({ title: 'Çelik', website: 'https://x.example/ü' }));
    const head =
      `PUT ${MOUNT}/events/by-slug/${slug}?excerpt=é HTTP/1.1\r\n${HEAD}Connection: close\r\n` +
      `Authorization: Bearer ${adm}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    for (const parts of [[Buffer.concat([Buffer.from(head), body])], [head, body.subarray(0, 20), body.subarray(20)]]) {
      const answer = only(await sent(parts, 20));
      expect([answer.status, answer.body.title, answer.body.website]).toEqual([200, 'Çelik', 'https://x.example/ü']);
      expect(answer.body.excerpt).toBe('<p>é</p>');
    }
  });

  test('TXT-08: a connection stays open for raw and escaped URLs in turn', async () => {
    const raw = line(`/events/by-slug/${slug}`) + `${HEAD}\r\n`;
    const escaped = line(`/events/by-slug/${encodeURIComponent(slug)}`) + `${HEAD}\r\n`;
    const answers = await sent([raw, raw, escaped, escaped, raw, line('/events/0') + CLOSE], 60);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 404]);
    expect(answers.slice(0, 5).map(({ body }) => body.id as number)).toEqual([id, id, id, id, id]);
  });

  test('TXT-08: requests in one packet are carried out once each, with responses in order', async () => {
    const post = (name: string) => {
      const body = JSON.stringify({ name });
      return (
        `POST ${MOUNT}/tags?description=ñ HTTP/1.1\r\n${HEAD}Authorization: Bearer ${adm}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
      );
    };
    const plain = post('One').replace('ñ', 'n');
    const packet = plain + post('Two') + line(`/events/by-slug/${slug}`) + `${HEAD}\r\n` + post('Three');
    const answers = await sent([packet + line('/events/0') + CLOSE]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 201, 404]);
    expect(answers.map(({ body }) => (body.name ?? body.id ?? body.code) as unknown)).toEqual([
      'One',
      'Two',
      id,
      'Three',
      'rest-event-not-found',
    ]);
    const tags = (await service.client.get('/tags?hide_empty=false&per_page=50')).body.tags as { name: string }[];
    expect(tags.map(({ name }) => name).filter((name) => ['One', 'Two'].includes(name))).toEqual(['One', 'Two']);
  });

  test('TXT-08: PROPPATCH returns 405 and is not read as PATCH', async () => {
    const headers = { authorization: `Bearer ${adm}`, 'content-type': 'application/json' };
    const body = '{"title":"Changed"}';
    const lines = Object.entries({ ...headers, 'content-length': body.length }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    for (const path of [`/events/by-slug/${encodeURIComponent(slug)}`, `/events/by-slug/${slug}`]) {
      const head = `PROPPATCH ${MOUNT}${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n${CLOSE}`;
      const { status, body: answer } = only(await sent([head + body]));
      expect([path, status, answer.code]).toEqual([path, 405, 'rest_no_route']);
    }
    expect((await service.client.get(`/events/${id}`)).body.title).not.toBe('Changed');
  });

  test('TXT-08: bytes that are not UTF-8 are rejected like their escapes', async () => {
    const bytes = (text: string) => Buffer.from(text + CLOSE, 'latin1');
    const query = only(await sent([bytes(line('/events?search=\xe9'))]));
    expect([query.status, query.body.code, Object.keys(query.body.data.params as object)]).toEqual([
      400,
      'rest_invalid_param',
      ['search'],
    ]);
    const path = only(await sent([bytes(line('/events/by-slug/\xe9'))]));
    expect([path.status, path.body.code]).toEqual([404, 'rest_no_route']);
  });

  test('GEN-30: the length limit of a raw URL counts its bytes as sent', async () => {
    const raw = (bytes: number) => {
      const fixed = Buffer.byteLength(`${MOUNT}/events?a=`);
      const count = Math.floor((bytes - fixed) / 2);
      return `${MOUNT}/events?a=${'x'.repeat((bytes - fixed) % 2)}${'é'.repeat(count)}`;
    };
    expect(Buffer.byteLength(raw(8192))).toBe(8192);
    expect(only(await sent([`GET ${raw(8192)} HTTP/1.1\r\n${CLOSE}`])).status).toBe(200);
    expect(only(await sent([`GET ${raw(8193)} HTTP/1.1\r\n${CLOSE}`])).status).toBe(414);
  });

  test('GEN-06: failed attempts with a raw URL count for the IP address of the client', async () => {
    const other = await startApp({ FAILED_ATTEMPTS: '1' });
    try {
      const { port } = other.client;
      const wrong = `GET ${MOUNT}/events?search=é HTTP/1.1\r\n${HEAD}Authorization: Bearer x\r\nConnection: close\r\n\r\n`;
      expect((await other.client.get('/events', 'wrong')).status).toBe(401);
      expect(only(await answersOf(port, [wrong])).status).toBe(429);
      const logged: object[] = [];
      other.app.get(Log).info = (fields: object) => void logged.push(fields);
      await answersOf(port, [wrong]);
      expect(logged).toEqual([expect.objectContaining({ clientAddress: '127.0.0.1', status: 429 })]);
    } finally {
      await other.close();
    }
  });

  test('TXT-08: a client that disconnects within a raw URL does not affect later requests', async () => {
    for (const part of [line(`/events/by-slug/${slug}`), `GET ${MOUNT}/events/by-slug/東`]) {
      const socket = connect(service.client.port, '127.0.0.1', () => socket.write(part));
      await sleep(30);
      socket.destroy();
    }
    await sleep(30);
    expect((await service.client.get('/events')).status).toBe(200);
  });
});
