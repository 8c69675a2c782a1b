import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startApp, type TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { documentOf } from '../support/document.js';
import { receive } from '../support/gzipped.js';
import { type Gateway, PREFIX, startNginx } from '../support/nginx.js';
import { overSocket } from '../support/socket.js';

/** The configuration of deploy/nginx, in front of the service. */
const MOUNT = '/calendar/events/v1';
const EVENT = { title: 'T', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };

let service: TestApp;
beforeAll(async () => (service = await startApp({ TRUST_PROXY: '127.0.0.1' })));
afterAll(() => service.close());

describe('deploy/nginx with http.conf', () => {
  let gateway: Gateway;
  let client: Client;
  beforeAll(async () => {
    gateway = await startNginx([service.client.port]);
    client = new Client(gateway.port, `${PREFIX}${MOUNT}`, { document: () => documentOf(service.app) });
  });
  afterAll(() => gateway.stop());

  it('adds its prefix to links, and redirects the prefix without a slash', async () => {
    const { status, body, headers } = await client.post('/events', EVENT, service.tokens.adm);
    const root = `http://127.0.0.1:${gateway.port}${PREFIX}${MOUNT}`;
    expect([status, body.rest_url, headers.location]).toEqual([
      201,
      `${root}/events/${body.id}`,
      `${root}/events/${body.id}`,
    ]);
    const bare = await fetch(`http://127.0.0.1:${gateway.port}${PREFIX}`, { redirect: 'manual' });
    expect([bare.status, bare.headers.get('location')]).toEqual([308, `${PREFIX}/`]);
  });

  it.each(['/', PREFIX])('leads from %s to the service', async (path) => {
    const { status, headers } = await receive(gateway.port, `${path}?a=b`);
    expect([status, headers.location]).toEqual([308, `${PREFIX}/?a=b`]);
    const root = await receive(gateway.port, `${PREFIX}/`);
    expect([root.status, root.headers['content-type']]).toEqual([200, 'text/html; charset=UTF-8']);
  });

  it.each([
    ['readiness', `${PREFIX}/health/ready`],
    ['readiness with a query', `${PREFIX}/health/ready?verbose`],
    ['liveness', `${PREFIX}/health/live`],
    ['an escaped health path', `${PREFIX}/%68ealth/ready`],
    ['an escaped slash', `${PREFIX}/health%2Fready`],
    ['a health path with dots', `${PREFIX}/x/../health/ready`],
    ['a health path with two slashes', `${PREFIX}//health/ready`],
    ['a health path outside of the prefix', '/health/ready'],
    ['a path outside of the prefix', '/favicon.ico'],
    ['a longer prefix', `${PREFIX}x/health/ready`],
  ])('does not serve %s: the service answers 404', async (_, path) => {
    const { status, text } = await receive(gateway.port, path);
    expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([404, 'rest_no_route']);
  });

  it('ignores X-Forwarded headers of the client', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-prefix': '/evil', 'x-forwarded-proto': 'https' };
    const { body } = await client.send('/events/1', { headers });
    expect(body.rest_url).toBe(`http://127.0.0.1:${gateway.port}${PREFIX}${MOUNT}/events/1`);
  });

  it.each([
    ['escapes', `${MOUNT}/events/by-slug/a%2Fb`],
    ['double slashes', `${MOUNT}//events`],
    ['dots', `${MOUNT}/x/../events`],
    ['raw UTF-8', `${MOUNT}/events/by-slug/m\u00fcnchen`],
    ['a long address', `${MOUNT}/events?search=${'a'.repeat(9000)}`],
  ])('passes %s on unchanged: the response is that of the service', async (_, path) => {
    const asked = (port: number, prefix: string) =>
      overSocket(port, [`GET ${prefix}${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`]);
    const told = (text: string) => [text.split(' ')[1], /"code":"[^"]*"/.exec(text)?.[0]];
    expect(told(await asked(gateway.port, PREFIX))).toEqual(told(await asked(service.client.port, '')));
  });

  it('leaves the body size limit to the service', async () => {
    const title = 'a'.repeat(2 * 1024 * 1024);
    const { status, body } = await client.post('/events', { ...EVENT, title }, service.tokens.adm);
    expect([status, body.code]).toEqual([413, 'rest_body_too_large']);
  });

  it('GEN-36: passes on Accept-Encoding, and the gzip response with its strong ETag', async () => {
    const path = `${PREFIX}${MOUNT}/doc`;
    const [plain, packed] = [
      await receive(gateway.port, path),
      await receive(gateway.port, path, { 'accept-encoding': 'gzip' }),
    ];
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    expect(packed.headers.etag).toBe(plain.headers.etag!.replace(/"$/, '-gzip"'));
    expect([packed.text === plain.text, packed.headers.vary]).toEqual([true, plain.headers.vary]);
    const known = { 'accept-encoding': 'gzip', 'if-none-match': packed.headers.etag! };
    expect((await receive(gateway.port, path, known)).status).toBe(304);
  });

  it('passes a Link header of more than 4,096 bytes', async () => {
    for (const title of ['One', 'Two']) await client.post('/events', { ...EVENT, title }, service.tokens.adm);
    const include = Array.from({ length: 1_000 }, (_, n) => n + 1).join(',');
    const { status, headers } = await client.get(`/events?per_page=1&include=${include}`);
    expect([status, headers.link?.length]).toEqual([200, expect.any(Number)]);
    expect(headers.link!.length).toBeGreaterThan(4096);
  });

  it('serves the whole host if the prefix is empty', async () => {
    const whole = await startNginx([service.client.port], { prefix: '' });
    const asked = await Promise.all(
      ['/', `${MOUNT}/events/1`, '/health/ready'].map((path) => receive(whole.port, path)),
    );
    await whole.stop();
    const root = `http://localhost${MOUNT}`;
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 404]);
    expect(asked[0]?.headers['content-type']).toBe('text/html; charset=UTF-8');
    expect(JSON.parse(asked[1]?.text ?? '')).toMatchObject({ rest_url: `${root}/events/1` });
  });

  it('returns 503 in the error format of the API if no instance is reachable', async () => {
    const lonely = await startNginx([1]);
    const answer = await fetch(`http://127.0.0.1:${lonely.port}${PREFIX}${MOUNT}/events`, { method: 'POST' });
    const told = [answer.status, answer.headers.get('retry-after'), await answer.json()];
    await lonely.stop();
    expect(told).toEqual([
      503,
      '1',
      {
        code: 'service_unavailable',
        message: 'The service is temporarily unavailable.',
        data: { status: 503 },
      },
    ]);
  });
});

describe('deploy/nginx with https.conf', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kalends-tls-'));
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
    const subject = ['-subj', '/CN=localhost', '-days', '1', '-nodes'];
    const files = ['-keyout', key, '-out', certificate];
    await promisify(execFile)('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject, ...files]);
    gateway = await startNginx([service.client.port], { tls: { certificate, key } });
  }, 60_000);
  afterAll(() => gateway.stop());

  it('serves over TLS, with HSTS and https links', async () => {
    const { headers, body } = await new Promise<{ headers: Record<string, unknown>; body: Record<string, unknown> }>(
      (resolve, reject) => {
        const path = `${PREFIX}${MOUNT}/events`;
        // The certificate is self-signed.
        const options = { host: '127.0.0.1', port: gateway.tlsPort, path, rejectUnauthorized: false };
        request(options, (answer) => {
          let text = '';
          answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
          answer.on('end', () => resolve({ headers: answer.headers, body: JSON.parse(text) }));
        })
          .on('error', reject)
          .end();
      },
    );
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(body.rest_url).toMatch(new RegExp(`^https://127\\.0\\.0\\.1:${gateway.tlsPort}${PREFIX}${MOUNT}/events/`));
  });

  it('redirects plain HTTP to HTTPS', async () => {
    const answer = await fetch(`http://127.0.0.1:${gateway.port}${PREFIX}/`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, `https://127.0.0.1${PREFIX}/`]);
  });
});
