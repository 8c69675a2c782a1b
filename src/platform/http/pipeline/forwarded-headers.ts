import { BlockList, isIP } from 'node:net';
import type { Request } from 'express';
import type { Environment } from '../../../config/environment.js';
import { addressList } from '../../../config/setting-decorators.js';
import { isUrl, withoutEndSlashes } from '../../../kernel/text/url.js';
import type { Log } from '../../observability/log.js';

/** How the client sees the service, through a trusted gateway too. */
export interface PublicAddress {
  readonly clientAddress: string;
  /** Whether X-Forwarded-For was sent by somebody who is not believed. */
  readonly isUnheeded: boolean;
  /** Scheme, host and gateway prefix. */
  readonly origin: string;
  /** Whether the host is one of ours (contract section 1, ALLOWED_HOSTS). */
  readonly known: boolean;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Believes X-Forwarded-* from the addresses of TRUST_PROXY only (contract GEN-06). */
export class ForwardedHeaders {
  private readonly trusted: BlockList;
  private readonly hasGateways: boolean;
  private readonly hosts: ReadonlySet<string>;
  private readonly publicUrl: string | undefined;

  constructor(environment: Pick<Environment, 'TRUST_PROXY' | 'ALLOWED_HOSTS' | 'PUBLIC_URL' | 'SITE_URL'>) {
    this.trusted = addressList(environment.TRUST_PROXY);
    this.hasGateways = environment.TRUST_PROXY.length > 0;
    this.publicUrl = environment.PUBLIC_URL && asciiUrl(environment.PUBLIC_URL);
    this.hosts = new Set((environment.ALLOWED_HOSTS ?? defaultHosts(environment)).map(hostName));
  }

  publicAddress(request: Request): PublicAddress {
    const peer = plainAddress(request.socket.remoteAddress ?? '');
    const isGateway = this.isTrusted(peer);
    const forwarded = isGateway ? (name: string) => lastOf(request.headers[name]) : () => undefined;
    const host = validHost(forwarded('x-forwarded-host') ?? request.headers.host);
    const scheme = forwarded('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http';
    const prefix = validPrefix(forwarded('x-forwarded-prefix'));
    const chain = request.headers['x-forwarded-for'];
    return {
      clientAddress: isGateway ? this.clientBehind(peer, chain) : peer,
      isUnheeded: !isGateway && chain !== undefined,
      origin: this.publicUrl ?? `${scheme}://${host ?? 'localhost'}${prefix}`,
      known: host !== undefined && this.hosts.has(hostName(host)),
    };
  }

  /** The last address of the chain that is no gateway of ours: what stands before it anyone may have written. */
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
    if (!this.hasGateways) return false;
    const family = isIP(address);
    return family !== 0 && this.trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }
}

function defaultHosts({ PUBLIC_URL, SITE_URL }: Pick<Environment, 'PUBLIC_URL' | 'SITE_URL'>): string[] {
  const configured = [PUBLIC_URL, SITE_URL].filter((url) => url !== undefined);
  return [...LOOPBACK, ...configured.map((url) => new URL(url).hostname)];
}

/** An address as it is compared: without a port, and IPv4 in its own form. */
function plainAddress(address: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, '$1');
  return bare.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** A host as it is compared: without its port (contract section 1, ALLOWED_HOSTS). */
function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

/** Headers are ASCII, and links begin like the headers. */
function asciiUrl(url: string): string {
  // eslint-disable-next-line no-control-regex -- ASCII is what is asked for
  return /^[\x00-\x7f]*$/.test(url) ? url : withoutEndSlashes(new URL(url).href);
}

/** A proxy appends to what it received, so the last value is the gateway's own. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return (
    String(header ?? '')
      .split(',')
      .at(-1)
      ?.trim() || undefined
  );
}

/** A host that links can begin with; `localhost:99999` is written like one, but no client can use it. */
function validHost(host: string | undefined): string | undefined {
  if (host === undefined || !/^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/.test(host)) return undefined;
  return isUrl(`http://${host}`) ? host : undefined;
}

function validPrefix(prefix: string | undefined): string {
  const path = withoutEndSlashes(prefix ?? '');
  return /^(\/[A-Za-z0-9._~-]+)+$/.test(path) ? path : '';
}

/** Anybody can send the header: it must not fill the log. In milliseconds. */
const BETWEEN_WARNINGS = 3_600_000;

/** Tells the operator of a gateway that TRUST_PROXY does not name: all of its clients count as one. */
export class UntrustedProxyWarning {
  private quietUntil = -Infinity;

  constructor(private readonly log: Pick<Log, 'warn'>) {}

  /** `peer`: who has sent X-Forwarded-For without being believed. */
  note(peer: string): void {
    if (performance.now() < this.quietUntil) return;
    this.quietUntil = performance.now() + BETWEEN_WARNINGS;
    const msg =
      `X-Forwarded-For of ${peer} is not believed: TRUST_PROXY does not name it. If it is your gateway, its clients ` +
      'are all counted as one. Told once an hour.';
    this.log.warn({ peer, msg });
  }
}
