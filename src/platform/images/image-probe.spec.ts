import { createServer, type RequestListener } from 'node:http';
import { Readable, pipeline } from 'node:stream';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { INTERNET, type Network } from '../outbound/network.js';
import { probeImage } from './image-probe.js';

const GIF = Buffer.from('R0lGODlhQAHIAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64');
/** Resolves every name to this machine. */
const LOCAL: Network = { resolve: () => Promise.resolve(['127.0.0.1']), permits: () => true };

const servers: (Server & { sockets: Set<Socket> })[] = [];

/** Starts a server on this machine. Returns the port. */
async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  servers.push(Object.assign(server, { sockets }));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** Simulates a DNS server that does not respond. */
const neverResolve: Network['resolve'] = (_, deadline) =>
  new Promise((_, reject) => deadline.addEventListener('abort', () => reject(new Error('cancelled'))));

const serve = (answer: RequestListener) => listen(createServer(answer));

/** Serves a valid image on every address of this machine and counts the connections. */
async function serveCanary(host?: string): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((_, response) => response.setHeader('Content-Type', 'image/gif').end(GIF));
  server.on('connection', () => (connections += 1));
  return { port: await listen(server, host), connections: () => connections };
}

afterAll(async () => {
  for (const server of servers) {
    server.sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  }
});

describe('probeImage: accepted images', () => {
  it('reads the size from the image and the length from Content-Length', async () => {
    let seen: unknown;
    const port = await serve((request, response) => {
      seen = [request.method, request.url, request.headers.host, request.headers.authorization];
      response.setHeader('Content-Type', 'image/gif').setHeader('Content-Length', GIF.length).end(GIF);
    });
    const measures = await probeImage(`http://images.example:${port}/a/ü.gif?b=1#c`, LOCAL);
    expect(measures).toEqual({ width: 320, height: 200, filesize: GIF.length });
    expect(seen).toEqual(['GET', '/a/%C3%BC.gif?b=1', `images.example:${port}`, undefined]);
  });

  it.each([
    ['an image of a kind we cannot measure', { 'Content-Type': 'image/svg+xml; charset=utf-8' }, '<svg/>'],
    ['an image type in capitals', { 'Content-Type': 'IMAGE/PNG' }, 'x'],
    ['an image that is none inside', { 'Content-Type': 'image/png' }, '<html></html>'],
    ['an empty image', { 'Content-Type': 'image/png', 'Content-Length': '0' }, ''],
    ['a compressed answer', { 'Content-Type': 'image/png', 'Content-Encoding': 'gzip', 'Content-Length': '1' }, 'x'],
    ['a length beyond the column', { 'Content-Type': 'image/png', 'Content-Length': '4294967296' }, 'x'],
  ])('%s: accepted without measures', async (_, headers, body) => {
    const port = await listen(
      createSocketServer((socket) => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.on('error', () => undefined).end(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n${body}`);
      }),
    );
    expect(await probeImage(`http://images.example:${port}/`, LOCAL)).toEqual({});
  });

  it('reads no more than 64 KB of a file', async () => {
    let sent = 0;
    function* file() {
      yield GIF;
      for (; sent < 50_000_000; sent += 65_536) yield Buffer.alloc(65_536);
    }
    const port = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'image/gif', 'Content-Length': 50_000_000 });
      pipeline(Readable.from(file()), response, () => undefined);
    });
    const measures = await probeImage(`http://images.example:${port}/`, LOCAL);
    expect(measures).toEqual({ width: 320, height: 200, filesize: 50_000_000 });
    // The buffers of both sockets hold more bytes than the probe reads.
    expect(sent).toBeLessThan(20_000_000);
  });

  it('does not look for the size beyond 64 KB', async () => {
    const head = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(65_533)]);
    const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 9, 0, 9, ...Array<number>(10).fill(0)]);
    const port = await serve((_, response) => {
      response.setHeader('Content-Type', 'image/jpeg').end(Buffer.concat([head, frame]));
    });
    expect(await probeImage(`http://images.example:${port}/`, LOCAL)).toEqual({ filesize: head.length + frame.length });
  });

  it('accepts an incomplete image and uses the received bytes', async () => {
    const port = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'image/gif', 'Content-Length': 9999 });
      response.write(GIF, () => response.destroy());
    });
    const measures = await probeImage(`http://images.example:${port}/`, LOCAL);
    expect(measures).toEqual({ width: 320, height: 200, filesize: 9999 });
  });
});

describe('probeImage: EV-NEW-07: rejects', () => {
  it.each([
    ['HTML', 200, 'text/html'],
    ['no type', 200, undefined],
    ['a type that only begins like one', 200, 'imagery/png'],
    ['a type without a kind', 200, 'image/'],
    ['another type that names one', 200, 'text/html; image/png'],
    ['201', 201, 'image/gif'],
    ['206', 206, 'image/gif'],
    ['404', 404, 'image/gif'],
    ['500', 500, 'image/gif'],
  ])('%s', async (_, status, type) => {
    const port = await serve((_, response) => {
      response.writeHead(status, type === undefined ? {} : { 'Content-Type': type }).end(GIF);
    });
    expect(await probeImage(`http://images.example:${port}/`, LOCAL)).toBeUndefined();
  });

  it.each([301, 302, 303, 307, 308, 300, 304])('%d: a redirect is not followed', async (status) => {
    const canary = await serveCanary();
    const port = await serve((_, response) => {
      const headers = { Location: `http://127.0.0.1:${canary.port}/a.gif`, 'Content-Type': 'image/gif' };
      response.writeHead(status, headers).end(status === 304 ? undefined : GIF);
    });
    expect(await probeImage(`http://images.example:${port}/`, LOCAL)).toBeUndefined();
    expect(canary.connections()).toBe(0);
  });

  it.each([
    ['closes at once', ''],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH\r\n'],
    ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
    ['sends endless headers', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`],
  ])('a server that %s', async (_, text) => {
    const port = await listen(createSocketServer((socket) => socket.on('error', () => undefined).end(text)));
    expect(await probeImage(`http://images.example:${port}/`, LOCAL)).toBeUndefined();
    expect(await probeImage(`https://images.example:${port}/`, LOCAL)).toBeUndefined();
  });

  it('a closed port and an unknown host', async () => {
    const server = createSocketServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    servers.splice(servers.indexOf(server as (typeof servers)[number]), 1);
    expect(await probeImage(`http://127.0.0.1:${port}/`, LOCAL)).toBeUndefined();
    expect(
      await probeImage('http://images.example/', { ...LOCAL, resolve: () => Promise.resolve([]) }),
    ).toBeUndefined();
    const failing = { ...LOCAL, resolve: () => Promise.reject(new Error('ENOTFOUND')) };
    expect(await probeImage('http://images.example/', failing)).toBeUndefined();
  });

  it('no DNS reply or no headers within 5 seconds, but accepts a slow body after headers in time', async () => {
    const silent = await listen(createSocketServer(() => undefined));
    const dripping = await listen(
      createSocketServer((socket) => {
        const timer = setInterval(() => socket.write('X-A: b\r\n'), 200);
        socket.on('error', () => undefined).on('close', () => clearInterval(timer));
        socket.write('HTTP/1.1 200 OK\r\n');
      }),
    );
    const slowFile = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'image/gif' }).write(GIF);
    });
    const began = Date.now();
    const probes = [silent, dripping, slowFile].map((port) => probeImage(`http://images.example:${port}/`, LOCAL));
    const unheard = probeImage('http://images.example/', { ...LOCAL, resolve: neverResolve });
    expect(await Promise.all([unheard, ...probes])).toEqual([
      undefined,
      undefined,
      undefined,
      { width: 320, height: 200 },
    ]);
    expect(Date.now() - began).toBeGreaterThan(4_900);
    expect(Date.now() - began).toBeLessThan(7_000);
  });
});

/** Hosts that are this machine; `P` is the port. */
const THIS_MACHINE = [
  ...['127.0.0.1:P', '127.1:P', '127.0.1:P', '127.0.0.1.:P', '127.1.:P', '127.000.000.001:P'],
  ...['0x7f.1:P', '0x7f000001:P', '0x7F.0x0.0x0.0x1:P', '0X7F.0.0.1:P', '2130706433:P', '017700000001:P', '0177.1:P'],
  ...['0177.0.0.01:P', '0x7f.0.1:P', '127.0x1:P', '0:P', '0x0:P', '0.0.0.0:P', '0.0:P', '00000:P'],
  ...['127%2e0.0.1:P', '%31%32%37.0.0.1:P', '１２７.0.0.1:P', '127。0。0。1:P', '①②⑦.⓪.⓪.①:P', '127.0.0\u00ad.1:P'],
  ...['x@127.0.0.1:P', 'example.com:80@127.0.0.1:P', 'example.com%20@127.1:P', '127.0.0.1:P#@example.com/'],
];

/** Hosts that are this machine over IPv6 or through address translation. */
const THIS_MACHINE_IPV6 = [
  ...['[::1]:P', '[0:0:0:0:0:0:0:1]:P', '[0000::0001]:P', '[::]:P', '[::0.0.0.1]:P', '[::127.0.0.1]:P'],
  ...[
    '[::ffff:127.0.0.1]:P',
    '[::FFFF:7F00:1]:P',
    '[0:0:0:0:0:ffff:7f00:1]:P',
    '[::ffff:0.0.0.0]:P',
    '[::ffff:0:7f00:1]:P',
  ],
  ...['[64:ff9b::127.0.0.1]:P', '[64:ff9b:1::7f00:1]:P', '[2002:7f00:1::]:P', '[2001:0:7f00:1::80ff:fffe]:P'],
];

const ELSEWHERE_INSIDE = [
  ...['10.0.0.1:P', '10.1:P', '0xa.1:P', '172.16.0.1:P', '172.31.255.254:P', '192.168.0.1:P', '192.168.257:P'],
  ...['169.254.169.254:P', '0xa9fea9fe:P', '2852039166:P', '0251.0376.0251.0376:P', '[::ffff:169.254.169.254]:P'],
  ...[
    '127.255.255.254:P',
    '100.64.0.1:P',
    '100.100.100.200:P',
    '192.0.0.192:P',
    '168.63.129.16:P',
    '198.18.0.1:P',
    '224.0.0.1:P',
  ],
  ...[
    '255.255.255.255:P',
    '[fe80::1]:P',
    '[fc00::1]:P',
    '[fd00:ec2::254]:P',
    '[fec0::1]:P',
    '[ff02::1]:P',
    '[ff0e::1]:P',
  ],
];

const OTHER_URLS = [
  ...[
    'file:///etc/passwd',
    'file://127.0.0.1:P/a',
    'gopher://127.0.0.1:P/_GET',
    'ftp://127.0.0.1:P/a.gif',
    'dict://127.0.0.1:P/',
  ],
  ...[
    'ws://127.0.0.1:P/',
    'data:image/gif;base64,R0lGODlh',
    'unix:/run/x.sock',
    'blob:http://127.0.0.1:P/',
    'javascript:1',
  ],
  ...[
    'http://[::1%25lo]:P/',
    'http://[::1',
    'http://127.0.0.1:99999/',
    'http://256.256.256.256:P/',
    'http://',
    '',
    'a.gif',
  ],
];

describe('probeImage: EV-NEW-07: does not connect to', () => {
  let canary: Awaited<ReturnType<typeof serveCanary>>;
  const at = (url: string) => url.replace('P', String(canary.port));

  beforeAll(async () => {
    // A server on `::` also accepts IPv4. Without IPv6 it listens on IPv4 only.
    canary = await serveCanary('::').catch(() => serveCanary('0.0.0.0'));
  });

  it.each([...THIS_MACHINE, ...THIS_MACHINE_IPV6, ...ELSEWHERE_INSIDE])('http://%s', async (host) => {
    const before = canary.connections();
    expect(await probeImage(`http://${at(host)}`)).toBeUndefined();
    expect(await probeImage(`https://${at(host)}`)).toBeUndefined();
    expect(canary.connections()).toBe(before);
  });

  it.each(OTHER_URLS)('%j', async (url) => {
    const before = canary.connections();
    expect(await probeImage(at(url))).toBeUndefined();
    expect(await probeImage(at(url), LOCAL)).toBeUndefined();
    expect(canary.connections()).toBe(before);
  });

  it.each(['localhost:P', 'LOCALHOST.:P', 'ip6-localhost:P', 'localhost.localdomain:P'])('http://%s', async (host) => {
    const before = canary.connections();
    expect(await probeImage(`http://${at(host)}`)).toBeUndefined();
    expect(canary.connections()).toBe(before);
  });

  it.each(THIS_MACHINE)('http://%s unless the network permits it', async (host) => {
    const before = canary.connections();
    expect(await probeImage(`http://${at(host)}`, LOCAL)).toMatchObject({ width: 320 });
    expect(canary.connections()).toBe(before + 1);
  });
});

describe('probeImage: EV-NEW-07: host names', () => {
  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['2606:4700::1', '::ffff:127.0.0.1']],
    [['not an address']],
  ])('a name with the addresses %j is rejected', async (addresses) => {
    const canary = await serveCanary();
    const network = { ...INTERNET, resolve: () => Promise.resolve(addresses) };
    expect(await probeImage(`http://images.example:${canary.port}/`, network)).toBeUndefined();
    expect(canary.connections()).toBe(0);
  });

  it('a name is resolved once, so that its address cannot change after the check', async () => {
    const canary = await serveCanary();
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const asked: string[] = [];
    const checked: string[] = [];
    const network: Network = {
      resolve: (host) => Promise.resolve(answers[asked.push(host) - 1] ?? []),
      permits: (address) => checked.push(address) > 0,
    };
    expect(await probeImage(`http://images.example:${canary.port}/`, network)).toMatchObject({ width: 320 });
    expect({ asked, checked }).toEqual({ asked: ['images.example'], checked: ['127.0.0.1'] });
    expect(canary.connections()).toBe(1);
  });

  it.each([
    ['[2606:4700:0::1]', '2606:4700::1'],
    ['0x08.8.2056', '8.8.8.8'],
  ])('the address %s is checked as %s, without a DNS lookup', async (host, address) => {
    const checked: string[] = [];
    const network: Network = {
      resolve: () => Promise.resolve(['127.0.0.1']),
      permits: (candidate) => checked.push(candidate) === 0,
    };
    expect(await probeImage(`http://${host}/`, network)).toBeUndefined();
    expect(checked).toEqual([address]);
  });

  it('one reachable address of several is enough', async () => {
    const canary = await serveCanary();
    const network = { ...LOCAL, resolve: () => Promise.resolve(['::1', '127.0.0.1']) };
    expect(await probeImage(`http://images.example:${canary.port}/`, network)).toMatchObject({ width: 320 });
  });
});
