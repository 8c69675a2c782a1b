import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Client } from '../support/client.js';
import { event } from '../support/factories.js';
import { startServer } from '../support/process.js';
import { overSocket } from '../support/socket.js';

const MOUNT = '/calendar/events/v1';
const TOKEN = 'canary-token-of-at-least-32-characters';

/** Bytes that could end a log line or a JSON string in it, or control the terminal of a reader. */
const HOSTILE = {
  'line feed': '\n{"msg":"forged"}\n',
  'carriage return': '\r{"msg":"forged"}\r',
  'both, escaped': '%0d%0a{"msg":"forged"}%0d%0a',
  'both, escaped twice': '%250d%250a',
  'end of a text': '","msg":"forged","x":"',
  backslash: '\\',
  escape: '\x1b[2J\x1b[31m',
  'escape, escaped': '%1b[2J%9b31m',
  NUL: '\0',
  'NUL, escaped': '%00',
  'C1 control': '\x9b31m',
  'C1 control in UTF-8': '\xc2\x9b31m',
  'line separator in UTF-8': '\xe2\x80\xa8\xe2\x80\xa9',
  'broken UTF-8': '\xc3\x28\xff\xfe',
};

/** Parts of a request into which a client can put these bytes. */
const PLACES: Record<string, (text: string) => string> = {
  method: (text) => request({ method: `GET${text}` }),
  path: (text) => request({ path: `/events/${text}` }),
  'path outside': (text) => request({ mount: '', path: `/${text}` }),
  'name of a parameter': (text) => request({ path: `/events?a${text}=1` }),
  'value of a parameter': (text) => request({ path: `/events?search=${text}` }),
  'name of a header': (text) => request({ headers: `X-A${text}: 1\r\n` }),
  body: (text) =>
    request({
      method: 'POST',
      path: '/events',
      headers: 'Content-Type: application/json\r\n',
      body: `{"title":"${text}"}`,
    }),
  ...Object.fromEntries(
    [
      'Host',
      'X-Request-Id',
      'traceparent',
      'tracestate',
      'User-Agent',
      'Authorization',
      'Idempotency-Key',
      'Content-Type',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Forwarded-Prefix',
      'Origin',
      'If-None-Match',
    ].map((name) => [name, (text: string) => request({ headers: `${name}: 00-${text}\r\n` })]),
  ),
};

interface Parts {
  readonly method?: string;
  readonly mount?: string;
  readonly path?: string;
  readonly headers?: string;
  readonly body?: string;
}

function request({ method = 'GET', mount = MOUNT, path = '/events', headers = '', body = '' }: Parts): string {
  const host = headers.startsWith('Host:') ? '' : 'Host: localhost\r\n';
  const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`;
  return `${method} ${mount}${path} HTTP/1.1\r\n${host}${headers}${length}Connection: close\r\n\r\n${body}`;
}

describe('the log on standard output', () => {
  let database: TestDatabase;
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startServer({
      DATABASE_URL: database.url,
      KALENDS_ADMIN_TOKEN: TOKEN,
      TRUST_PROXY: '127.0.0.1',
      FAILED_ATTEMPTS: '1000',
    });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  it('has one JSON object per line, whatever bytes clients send', async () => {
    const before = server.output.stdout.length;
    let sent = 0;
    for (const place of Object.values(PLACES)) {
      for (const text of Object.values(HOSTILE)) {
        await overSocket(server.port, [Buffer.from(place(text), 'latin1')]);
        sent += 1;
      }
    }
    const linesNow = () => server.output.stdout.slice(before).split('\n').slice(0, -1);
    // A response may arrive before its log line is written.
    while (linesNow().length < sent) await sleep(20);
    const lines = linesNow();
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(parsed.filter((line) => typeof line !== 'object' || line === null || !('time' in line))).toEqual([]);
    expect(new Set(parsed.map(({ msg }) => msg))).toEqual(new Set(['request', 'refused']));
    expect(parsed).toHaveLength(sent);
    // eslint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(lines.filter((line) => /[\x00-\x1f\x7f-\x9f\u2028\u2029]/.test(line))).toEqual([]);
    for (const { requestId, traceId } of parsed.filter(({ msg }) => msg === 'request')) {
      expect(requestId).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      if (traceId !== undefined) expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    }
  });

  it('contains no token, password, idempotency key, header or body', async () => {
    const client = new Client(server.port, MOUNT);
    const { id } = await event(client, TOKEN, { title: 'canary-title' });
    await client.put(`/events/${id}`, { password: 'canary-password' }, TOKEN);
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    const secrets = [basic('admin:canary-basic'), basic(`admin:${TOKEN}`), { cookie: 'a=canary-cookie' }];
    for (const headers of secrets) await client.send('/events', { headers });
    const queries = [
      'password=canary-password',
      'pass%77ord=canary-escaped',
      'PASSWORD=canary-capital',
      'password[]=canary-list',
      'password=a&password=canary-last',
      'access_token=canary-access',
      'Authorization=canary-query',
    ];
    for (const query of queries) await client.get(`/events/${id}?${query}`, 'canary-wrong');
    for (const query of queries) await client.get(`/events/${id}?${query}`);
    const headers = { 'idempotency-key': 'canary-key', 'x-wp-nonce': 'canary-nonce', 'user-agent': 'canary-agent' };
    for (let turn = 0; turn < 2; turn += 1) {
      await client.send('/tags', { method: 'POST', body: { name: 'canary-name' }, token: TOKEN, headers });
    }
    await client.send('/tags', { method: 'POST', body: '{"name":"canary-broken', token: TOKEN, headers });
    const { stdout, stderr } = server.output;
    expect(stdout).toContain(`/events/${id}?password=[redacted]`);
    expect(stdout + stderr).not.toMatch(/canary/i);
    for (const { authorization } of secrets.slice(0, 2) as { authorization: string }[]) {
      expect(stdout + stderr).not.toContain(authorization.slice('Basic '.length));
    }
  });
});
