import type { Request } from 'express';
import { ForwardedHeaders } from './forwarded-headers.js';

type Settings = ConstructorParameters<typeof ForwardedHeaders>[0];

const gateway = (settings: Partial<Settings> = {}) => new ForwardedHeaders({ TRUST_PROXY: [], ...settings });
const request = (headers: Record<string, string>, remoteAddress = '203.0.113.9') =>
  ({ headers, socket: { remoteAddress } }) as unknown as Request;

const FORWARDED = {
  host: 'inner:3000',
  'x-forwarded-for': '198.51.100.7',
  'x-forwarded-host': 'example.com',
  'x-forwarded-proto': 'https',
  'x-forwarded-prefix': '/site/',
};

describe('Gateway (contract GEN-06)', () => {
  it('believes nobody by default', () => {
    expect(gateway().publicAddress(request(FORWARDED))).toEqual({
      isUnheeded: true,
      clientAddress: '203.0.113.9',
      origin: 'http://inner:3000',
      known: false,
    });
  });

  it.each(['203.0.113.9', '203.0.113.0/24', '2001:db8::/32,203.0.113.9'])('believes the addresses of %s', (trusted) => {
    const believing = gateway({ TRUST_PROXY: trusted.split(',') });
    expect(believing.publicAddress(request(FORWARDED))).toMatchObject({
      isUnheeded: false,
      clientAddress: '198.51.100.7',
      origin: 'https://example.com/site',
    });
  });

  it('knows an IPv4 gateway that comes in over IPv6', () => {
    const believing = gateway({ TRUST_PROXY: ['203.0.113.9'] });
    expect(believing.publicAddress(request(FORWARDED, '::ffff:203.0.113.9')).clientAddress).toBe('198.51.100.7');
  });

  it.each([
    ['198.51.100.7, 10.0.0.2', '198.51.100.7'],
    ['1.1.1.1, 198.51.100.7', '198.51.100.7'],
    ['1.1.1.1, 198.51.100.7:4711', '198.51.100.7'],
    ['1.1.1.1, [2001:db8::7]:4711', '2001:db8::7'],
    ['1.1.1.1, ::FFFF:198.51.100.7', '198.51.100.7'],
    ['1.1.1.1, unknown', '10.0.0.1'],
    ['10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['', '10.0.0.1'],
  ])('X-Forwarded-For: %s behind 10.0.0.1 is %s', (header, client) => {
    const believing = gateway({ TRUST_PROXY: ['10.0.0.0/8'] });
    const address = believing.publicAddress(request({ host: 'localhost', 'x-forwarded-for': header }, '10.0.0.1'));
    expect(address.clientAddress).toBe(client);
  });

  it('takes the last of several forwarded hosts: the gateway appended it', () => {
    const headers = { host: 'inner', 'x-forwarded-host': 'evil.example, example.com', 'x-forwarded-proto': 'HTTPS' };
    const { origin } = gateway({ TRUST_PROXY: ['203.0.113.9'] }).publicAddress(request(headers));
    expect(origin).toBe('https://example.com');
  });

  it.each(['//evil.example', '/a b', 'site', '/"x', '/a//b'])('drops the prefix %s', (prefix) => {
    const headers = { host: 'inner', 'x-forwarded-prefix': prefix };
    expect(gateway({ TRUST_PROXY: ['203.0.113.9'] }).publicAddress(request(headers)).origin).toBe('http://inner');
  });

  it.each(['example.com:8443', 'LOCALHOST:3000', '127.0.0.1', '[::1]:3000', 'site.example'])(
    'knows the host %s',
    (host) => {
      const configured = gateway({ PUBLIC_URL: 'https://example.com', SITE_URL: 'https://site.example/x' });
      expect(configured.publicAddress(request({ host })).known).toBe(true);
    },
  );

  it.each(['other.example', 'example.com.evil.example', 'a b', ''])('does not know the host "%s"', (host) => {
    expect(gateway({ PUBLIC_URL: 'https://example.com' }).publicAddress(request({ host })).known).toBe(false);
  });

  it.each(['localhost:99999', '256.1.1.1', '[::::]', 'ex^ample'])('takes %s for no host', (host) => {
    const { origin, known } = gateway().publicAddress(request({ host }));
    expect([origin, known]).toEqual(['http://localhost', false]);
  });

  it.each(['my_host:8080', '_a.example', 'example.com.', 'kalends', '-a-', 'xn--mnchen-3ya.de', '10.0.0.1', '[::1]:1'])(
    'takes the host %s as it is',
    (host) => {
      expect(gateway().publicAddress(request({ host })).origin).toBe(`http://${host}`);
    },
  );

  it('knows the hosts that are configured, port disregarded, and no others', () => {
    const configured = gateway({ ALLOWED_HOSTS: ['Example.com:8080', '[2001:db8::1]'] });
    expect(configured.publicAddress(request({ host: 'example.com' })).known).toBe(true);
    expect(configured.publicAddress(request({ host: '[2001:db8::1]:3000' })).known).toBe(true);
    expect(configured.publicAddress(request({ host: 'localhost' })).known).toBe(false);
  });

  it('contract GEN-05: links begin with PUBLIC_URL, in ASCII', () => {
    const fixed = gateway({ PUBLIC_URL: 'https://example.com/site' });
    expect(fixed.publicAddress(request(FORWARDED)).origin).toBe('https://example.com/site');
    const foreign = gateway({ PUBLIC_URL: 'https://bücher.example/ü' });
    expect(foreign.publicAddress(request(FORWARDED)).origin).toBe('https://xn--bcher-kva.example/%C3%BC');
  });
});
