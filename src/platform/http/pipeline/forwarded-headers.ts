import { BlockList, isIP } from 'node:net';
import type { Request } from 'express';
import type { Environment } from '../../../config/environment.js';
import { addressList } from '../../../config/setting-decorators.js';
import { isUrl, withoutEndSlashes } from '../../../kernel/text/url.js';
import type { Log } from '../../observability/log.js';

/** The client of a request. */
interface RequestClient {
  /** IP address, even behind trusted proxies. */
  readonly clientAddress: string;
  /** Whether X-Forwarded-For came from an address that TRUST_PROXY does not name. */
  readonly isUntrusted: boolean;
}

/** The public URL of the service, even behind a trusted proxy. */
export interface PublicAddress {
  /** Scheme, host and the prefix of the proxy. */
  readonly origin: string;
  /** Whether ALLOWED_HOSTS contains the host (contract section 1). */
  readonly isKnownHost: boolean;
}

const OWN_HEADERS = ['host'];
const TRUSTED_HEADERS = ['host', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-prefix'];

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Evaluates X-Forwarded-* headers from the addresses of TRUST_PROXY only (contract GEN-06). */
export class ForwardedHeaders {
  private readonly trusted: BlockList;
  private readonly hasTrusted: boolean;
  private readonly hosts: ReadonlySet<string>;
  private readonly publicUrl: string | undefined;

  constructor(environment: Pick<Environment, 'TRUST_PROXY' | 'ALLOWED_HOSTS' | 'PUBLIC_URL' | 'SITE_URL'>) {
    this.trusted = addressList(environment.TRUST_PROXY);
    this.hasTrusted = environment.TRUST_PROXY.length > 0;
    this.publicUrl = environment.PUBLIC_URL && asciiUrl(environment.PUBLIC_URL);
    this.hosts = new Set((environment.ALLOWED_HOSTS ?? defaultHosts(environment)).map(hostName));
  }

  client(request: Request): RequestClient {
    const peer = peerOf(request);
    const isTrusted = this.isTrusted(peer);
    const chain = request.headers['x-forwarded-for'];
    return {
      clientAddress: isTrusted ? this.clientBehind(peer, chain) : peer,
      isUntrusted: !isTrusted && chain !== undefined,
    };
  }

  /** Returns the names of the headers that decide on the public URL of a request. */
  decisive(request: Request): readonly string[] {
    return this.hasTrusted && this.isTrusted(peerOf(request)) ? TRUSTED_HEADERS : OWN_HEADERS;
  }

  publicAddress(request: Request): PublicAddress {
    const isTrusted = this.isTrusted(peerOf(request));
    const forwarded = isTrusted ? (name: string) => lastOf(request.headers[name]) : () => undefined;
    const host = validHost(forwarded('x-forwarded-host') ?? request.headers.host);
    const scheme = forwarded('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http';
    const prefix = validPrefix(forwarded('x-forwarded-prefix'));
    return {
      origin: this.publicUrl ?? `${scheme}://${host ?? 'localhost'}${prefix}`,
      isKnownHost: host !== undefined && this.hosts.has(hostName(host)),
    };
  }

  /** Returns the last address that is not a trusted proxy. Clients can forge all addresses before it. */
  private clientBehind(peer: string, header: string | string[] | undefined): string {
    let client = peer;
    for (const entry of String(header ?? '')
      .split(',')
      .reverse()) {
      const address = plainAddress(entry.trim());
      if (isIP(address) === 0) break;
      client = address;
      if (!this.isTrusted(address)) break;
    }
    return client;
  }

  private isTrusted(address: string): boolean {
    if (!this.hasTrusted) return false;
    const family = isIP(address);
    return family !== 0 && this.trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }
}

function peerOf({ socket }: Request): string {
  return plainAddress(socket.remoteAddress ?? '');
}

function defaultHosts({ PUBLIC_URL, SITE_URL }: Pick<Environment, 'PUBLIC_URL' | 'SITE_URL'>): string[] {
  const configured = [PUBLIC_URL, SITE_URL].filter((url) => url !== undefined);
  return [...LOOPBACK, ...configured.map((url) => new URL(url).hostname)];
}

/** Normalises an IP address: no port, and IPv4 instead of IPv4-mapped IPv6. */
function plainAddress(address: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, '$1');
  return bare.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Normalises a host: no port, lower case (contract section 1, ALLOWED_HOSTS). */
function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

/** Converts a URL to ASCII, because it also stands in headers. */
function asciiUrl(url: string): string {
  // eslint-disable-next-line no-control-regex -- tests for ASCII
  return /^[\x00-\x7f]*$/.test(url) ? url : withoutEndSlashes(new URL(url).href);
}

/** Returns the last value, which the trusted proxy appended itself. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return (
    String(header ?? '')
      .split(',')
      .at(-1)
      ?.trim() || undefined
  );
}

/** Returns the host if links can use it. The URL parser also rejects `localhost:99999`. */
function validHost(host: string | undefined): string | undefined {
  if (host === undefined || !/^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/.test(host)) return undefined;
  return isUrl(`http://${host}`) ? host : undefined;
}

function validPrefix(prefix: string | undefined): string {
  const path = withoutEndSlashes(prefix ?? '');
  return /^(\/[A-Za-z0-9._~-]+)+$/.test(path) ? path : '';
}

/** In milliseconds. Any client can send the header, so the warning must not fill the log. */
const WARNING_INTERVAL_MS = 3_600_000;

/** Warns about a proxy that TRUST_PROXY does not name, because rate limits count all of its clients as one. */
export class UntrustedProxyWarning {
  private nextWarningAt = -Infinity;

  constructor(private readonly log: Pick<Log, 'warn'>) {}

  /** `peer`: the IP address that sent X-Forwarded-For. */
  warn(peer: string): void {
    if (performance.now() < this.nextWarningAt) return;
    this.nextWarningAt = performance.now() + WARNING_INTERVAL_MS;
    const msg =
      `X-Forwarded-For of ${peer} is ignored because TRUST_PROXY does not name it. If it is your proxy, all of its ` +
      'clients count as one. This warning appears once an hour.';
    this.log.warn({ peer, msg });
  }
}
