import type { Request } from 'express';
import { ForwardedHeaders } from './forwarded-headers.js';

type Settings = ConstructorParameters<typeof ForwardedHeaders>[0];

const forwardedHeaders = (settings: Partial<Settings> = {}) => new ForwardedHeaders({ TRUST_PROXY: [], ...settings });
const request = (headers: Record<string, string>, remoteAddress = '203.0.113.9') =>
  ({ headers, socket: { remoteAddress } }) as unknown as Request;

/** All that a request is found to come from and to ask for. */
const found = (headers: ForwardedHeaders, sent: Request) => ({
  ...headers.client(sent),
  ...headers.publicAddress(sent),
});

const FORWARDED_HEADERS = {
  host: 'inner:3000',
  'x-forwarded-for': '198.51.100.7',
  'x-forwarded-host': 'example.com',
  'x-forwarded-proto': 'https',
  'x-forwarded-prefix': '/site/',
};

describe('ForwardedHeaders (contract GEN-06)', () => {
  it('trusts no proxy by default', () => {
    expect(found(forwardedHeaders(), request(FORWARDED_HEADERS))).toEqual({
      isUntrusted: true,
      clientAddress: '203.0.113.9',
      origin: 'http://inner:3000',
      isKnownHost: false,
    });
  });

  it.each(['203.0.113.9', '203.0.113.0/24', '2001:db8::/32,203.0.113.9'])('trusts the addresses of %s', (trusted) => {
    const trusting = forwardedHeaders({ TRUST_PROXY: trusted.split(',') });
    expect(found(trusting, request(FORWARDED_HEADERS))).toMatchObject({
      isUntrusted: false,
      clientAddress: '198.51.100.7',
      origin: 'https://example.com/site',
    });
  });

  it('trusts an IPv4 proxy with an IPv4-mapped IPv6 address', () => {
    const trusting = forwardedHeaders({ TRUST_PROXY: ['203.0.113.9'] });
    expect(trusting.client(request(FORWARDED_HEADERS, '::ffff:203.0.113.9')).clientAddress).toBe('198.51.100.7');
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
  ])('reads X-Forwarded-For: %s behind 10.0.0.1 as the client %s', (header, client) => {
    const trusting = forwardedHeaders({ TRUST_PROXY: ['10.0.0.0/8'] });
    const { clientAddress } = trusting.client(request({ host: 'localhost', 'x-forwarded-for': header }, '10.0.0.1'));
    expect(clientAddress).toBe(client);
  });

  it('uses the last of several forwarded hosts, which the trusted proxy appended', () => {
    const headers = { host: 'inner', 'x-forwarded-host': 'evil.example, example.com', 'x-forwarded-proto': 'HTTPS' };
    const { origin } = forwardedHeaders({ TRUST_PROXY: ['203.0.113.9'] }).publicAddress(request(headers));
    expect(origin).toBe('https://example.com');
  });

  it.each(['//evil.example', '/a b', 'site', '/"x', '/a//b'])('ignores the invalid prefix %s', (prefix) => {
    const headers = { host: 'inner', 'x-forwarded-prefix': prefix };
    expect(forwardedHeaders({ TRUST_PROXY: ['203.0.113.9'] }).publicAddress(request(headers)).origin).toBe(
      'http://inner',
    );
  });

  it.each(['example.com:8443', 'LOCALHOST:3000', '127.0.0.1', '[::1]:3000', 'site.example'])(
    'allows the host %s',
    (host) => {
      const configured = forwardedHeaders({ PUBLIC_URL: 'https://example.com', SITE_URL: 'https://site.example/x' });
      expect(configured.publicAddress(request({ host })).isKnownHost).toBe(true);
    },
  );

  it.each(['other.example', 'example.com.evil.example', 'a b', ''])('does not allow the host "%s"', (host) => {
    expect(forwardedHeaders({ PUBLIC_URL: 'https://example.com' }).publicAddress(request({ host })).isKnownHost).toBe(
      false,
    );
  });

  it.each(['localhost:99999', '256.1.1.1', '[::::]', 'ex^ample'])('replaces the invalid host %s', (host) => {
    const { origin, isKnownHost } = forwardedHeaders().publicAddress(request({ host }));
    expect([origin, isKnownHost]).toEqual(['http://localhost', false]);
  });

  it.each(['my_host:8080', '_a.example', 'example.com.', 'kalends', '-a-', 'xn--mnchen-3ya.de', '10.0.0.1', '[::1]:1'])(
    'uses the host %s unchanged',
    (host) => {
      expect(forwardedHeaders().publicAddress(request({ host })).origin).toBe(`http://${host}`);
    },
  );

  it('allows only the configured hosts, and ignores the port', () => {
    const configured = forwardedHeaders({ ALLOWED_HOSTS: ['Example.com:8080', '[2001:db8::1]'] });
    expect(configured.publicAddress(request({ host: 'example.com' })).isKnownHost).toBe(true);
    expect(configured.publicAddress(request({ host: '[2001:db8::1]:3000' })).isKnownHost).toBe(true);
    expect(configured.publicAddress(request({ host: 'localhost' })).isKnownHost).toBe(false);
  });

  it('contract GEN-05: links begin with PUBLIC_URL, in ASCII', () => {
    const fixed = forwardedHeaders({ PUBLIC_URL: 'https://example.com/site' });
    expect(fixed.publicAddress(request(FORWARDED_HEADERS)).origin).toBe('https://example.com/site');
    const foreign = forwardedHeaders({ PUBLIC_URL: 'https://bücher.example/ü' });
    expect(foreign.publicAddress(request(FORWARDED_HEADERS)).origin).toBe('https://xn--bcher-kva.example/%C3%BC');
  });
});
