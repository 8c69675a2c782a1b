import { startBeside } from '../support/app.js';
import { useApp } from '../support/events.js';
import { event } from '../support/factories.js';
import { type Received, receive } from '../support/gzipped.js';

const MOUNT = '/calendar/events/v1';
const GZIP = { 'accept-encoding': 'gzip' };
/** Random letters, so that the gzipped response is not small. */
const noise = (length: number) => Array.from({ length }, () => Math.random().toString(36)[2] ?? 'x').join('');

describe('GEN-36: gzip', () => {
  const app = useApp();
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    receive(app().client.port, MOUNT + path, headers, method);
  beforeAll(async () => {
    const { client, tokens } = app();
    await event(client, tokens.adm, { title: 'One' });
    await event(client, tokens.adm, { title: 'Long', description: noise(100_000), slug: 'long' });
    await event(client, tokens.adm, { title: 'Longer', description: noise(200_000), excerpt: noise(200_000) });
  });

  /** Returns the headers that must be the same in both forms. */
  const common = ({ date: _date, 'x-request-id': _id, ...headers }: Received['headers']) => {
    const { 'content-encoding': _encoding, 'content-length': _length, etag: _tag, ...others } = headers;
    return others;
  };

  test.each([
    ['a record', '/events/1'],
    ['a longer one', '/events/by-slug/long'],
    ['one in several pieces', '/events/3'],
    ['a list', '/events'],
    ['a list by date of today, which is not kept', '/events?start_date=today'],
    ['the document', '/doc'],
  ])('%s is the same plain and gzipped, repeatedly and in either order', async (_, path) => {
    for (const headers of [{}, GZIP, GZIP, {}]) {
      const plain = await ask(path);
      const { status, headers: told, bytes, text } = await ask(path, headers);
      const isPacked = 'accept-encoding' in headers;
      expect([status, told['content-encoding']]).toEqual([200, isPacked ? 'gzip' : undefined]);
      expect(told['content-length']).toBe(String(bytes.length));
      expect(told.vary).toContain('Accept-Encoding');
      expect(common(told)).toEqual(common(plain.headers));
      expect(told.etag).toBe(isPacked ? plain.headers.etag!.replace(/"$/, '-gzip"') : plain.headers.etag);
      expect(text).toBe(plain.text);
      if (isPacked) expect(bytes.length).toBeLessThan(plain.bytes.length);
    }
  });

  test.each(['/events/1', '/events', '/events/3'])(
    'either ETag of %s returns 304 with the ETag of the requested form',
    async (path) => {
      for (const headers of [{}, GZIP]) {
        const { etag, vary } = (await ask(path, headers)).headers;
        for (const known of [(await ask(path)).headers.etag!, (await ask(path, GZIP)).headers.etag!]) {
          for (const sent of [known, `W/${known}`, `"x", ${known}`]) {
            const reply = await ask(path, { ...headers, 'if-none-match': sent });
            expect([reply.status, reply.bytes.length, reply.headers.etag, reply.headers.vary]).toEqual([
              304,
              0,
              etag,
              vary,
            ]);
          }
        }
      }
    },
  );

  test('If-Match accepts either ETag', async () => {
    const { client, tokens } = app();
    for (const headers of [{}, GZIP]) {
      const { etag } = (await ask('/events/1', headers)).headers;
      const sent = { method: 'PATCH', body: { title: `One ${etag}` }, token: tokens.adm };
      expect((await client.send('/events/1', { ...sent, headers: { 'if-match': etag! } })).status).toBe(200);
      expect((await client.send('/events/1', { ...sent, headers: { 'if-match': etag! } })).status).toBe(412);
    }
  });

  test.each(['/events/1', '/events', '/events/3', '/events?start_date=today'])('HEAD %s equals GET', async (path) => {
    for (const headers of [{}, GZIP]) {
      const [got, head] = [await ask(path, headers), await ask(path, headers, 'HEAD')];
      const { date: _a, 'x-request-id': _b, ...ofGet } = got.headers;
      const { date: _c, 'x-request-id': _d, ...ofHead } = head.headers;
      expect([head.status, head.bytes.length, ofHead]).toEqual([200, 0, ofGet]);
    }
  });

  test.each(['gzip;q=0', 'identity', 'br, deflate', '*;q=0'])(
    'Accept-Encoding: %s gets a plain response',
    async (value) => {
      const { headers } = await ask('/events', { 'accept-encoding': value });
      expect([headers['content-encoding'], headers.vary]).toEqual([
        undefined,
        expect.stringContaining('Accept-Encoding'),
      ]);
    },
  );

  test('short responses are plain and do not vary by Accept-Encoding', async () => {
    const { headers } = await ask('/events/1?_fields=id', GZIP);
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'Authorization']);
  });

  test('1,023 bytes are plain, 1,024 are gzipped', async () => {
    const { client, tokens } = app();
    const { id } = await event(client, tokens.adm, { title: 'Edge', website: 'https://x.example/' });
    const path = `/events/${id}?_fields=website`;
    const { length } = (await ask(path)).bytes;
    for (const [bytes, encoding] of [
      [1023, undefined],
      [1024, 'gzip'],
    ] as const) {
      await client.post(`/events/${id}`, { website: `https://x.example/${'a'.repeat(bytes - length)}` }, tokens.adm);
      expect((await ask(path)).bytes.length).toBe(bytes);
      expect((await ask(path, GZIP)).headers['content-encoding']).toBe(encoding);
    }
  });

  test('compresses errors', async () => {
    const path = `/events?categories=${'no-such-category,'.repeat(90)}`;
    const [plain, packed] = [await ask(path), await ask(path, GZIP)];
    expect([plain.status, packed.status, packed.headers['content-encoding']]).toEqual([400, 400, 'gzip']);
    expect(packed.text).toBe(plain.text);
    expect(packed.headers.vary).toContain('Accept-Encoding');
    expect(packed.headers.etag).toBeUndefined();
  });

  test('compresses responses of writes', async () => {
    const { client, tokens } = app();
    const headers = { ...GZIP, authorization: `Bearer ${tokens.adm}` };
    const { id } = await event(client, tokens.adm, { title: 'Gone' });
    const reply = await ask(`/events/${id}`, headers, 'DELETE');
    expect([reply.status, reply.headers['content-encoding'], JSON.parse(reply.text).status]).toEqual([
      200,
      'gzip',
      'trash',
    ]);
  });

  test('compresses the page of /doc and its files', async () => {
    const inGerman = { ...GZIP, accept: 'text/html', 'accept-language': 'de' };
    const page = await ask('/doc', inGerman);
    expect([page.headers['content-encoding'], page.headers['content-type']]).toEqual([
      'gzip',
      'text/html; charset=UTF-8',
    ]);
    for (const [, file = ''] of page.text.matchAll(/(?:src|href)="doc\/([^"]+\.(?:js|css))"/g)) {
      for (let time = 1; time <= 2; time += 1) {
        const [plain, packed] = [await ask(`/doc/${file}`), await ask(`/doc/${file}`, GZIP)];
        expect([packed.status, packed.text === plain.text]).toEqual([200, true]);
        const isPacked = plain.bytes.length >= 1024;
        expect([file, packed.headers['content-encoding']]).toEqual([file, isPacked ? 'gzip' : undefined]);
      }
    }
  });

  test('a write invalidates the cached plain and gzipped forms', async () => {
    const { client, tokens } = app();
    const title = async (headers: Record<string, string>) =>
      (JSON.parse((await ask('/events/2', headers)).text) as { title: string }).title;
    for (const name of ['Long', 'Other']) {
      await client.post('/events/2', { title: name }, tokens.adm);
      expect([await title(GZIP), await title({}), await title(GZIP)]).toEqual([name, name, name]);
    }
  });

  test('COMPRESSION=off sends plain responses that do not vary by Accept-Encoding', async () => {
    const beside = await startBeside(app(), { COMPRESSION: 'off' });
    const { headers, bytes } = await receive(beside.client.port, `${MOUNT}/events`, GZIP);
    await beside.close();
    expect([headers['content-encoding'], headers.vary, headers.etag]).toEqual([
      undefined,
      'Authorization',
      expect.not.stringContaining('gzip'),
    ]);
    expect(bytes.length).toBeGreaterThan(1024);
  });
});
