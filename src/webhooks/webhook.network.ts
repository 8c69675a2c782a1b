import { type BlockList, isIP } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { addressList } from '../config/setting-decorators.js';
import { PinnedConnections } from '../platform/outbound/pinned-request.js';
import { INTERNET, literalAddress, type Network } from '../platform/outbound/network.js';

/** The first port that needs no rights to be opened. */
const FIRST_FREE_PORT = 1024;
const PORTS_OF_THE_WEB = [80, 443];

/** Where webhooks may be sent: the internet, and the networks of WEBHOOK_NETWORKS (webhooks section 4). */
@Injectable()
export class WebhookNetwork implements Network, OnApplicationShutdown {
  /** Name resolution; replaced in tests. */
  resolve: Network['resolve'] = INTERNET.resolve;
  /** The proxy of WEBHOOK_PROXY. No other setting names one. */
  readonly proxy: URL | undefined;
  /** Kept briefly, because receivers close idle connections after five seconds and more. Webhooks may share a host. */
  readonly connections = new PinnedConnections({ idleMs: 4_000, maxIdle: 32 });
  private readonly further: BlockList;

  constructor(private readonly environment: Environment) {
    this.proxy = environment.WEBHOOK_PROXY === undefined ? undefined : new URL(environment.WEBHOOK_PROXY);
    this.further = addressList(environment.WEBHOOK_NETWORKS);
  }

  permits = (address: string): boolean => {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    return INTERNET.permits(address) || this.further.check(address, family);
  };

  onApplicationShutdown(): void {
    this.connections.close();
  }

  /** Returns what is wrong with a URL, as the rest of a sentence. undefined: messages may be sent to it. */
  problemOf(url: string): string | undefined {
    const target = new URL(url);
    const { protocol, username, password, hash } = target;
    const hasScheme = protocol === 'https:' || (protocol === 'http:' && this.environment.WEBHOOK_HTTP);
    if (!hasScheme) {
      if (this.environment.WEBHOOK_HTTP) return 'must be an http or https URL.';
      return 'must be an https URL, unless WEBHOOK_HTTP is on.';
    }
    if (username !== '' || password !== '') return 'must not have a user or a password.';
    if (hash !== '' || url.includes('#')) return 'must not have a fragment.';
    if (!isPermittedPort(target)) return 'must have the port 80, 443, or one from 1024 on.';
    const address = literalAddress(target);
    if (address === undefined || this.permits(address)) return undefined;
    return 'must not be an address inside a network, unless WEBHOOK_NETWORKS contains it.';
  }
}

function isPermittedPort({ protocol, port }: URL): boolean {
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  return PORTS_OF_THE_WEB.includes(number) || number >= FIRST_FREE_PORT;
}
