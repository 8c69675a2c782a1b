import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-network.js';

/** Name resolution and the permitted addresses of requests to other hosts; replaced in tests. */
export interface Network {
  /** Returns the addresses of a host name. Returns none or throws for an unknown host. */
  readonly resolve: (host: string, deadline: AbortSignal) => Promise<readonly string[]>;
  readonly permits: (address: string) => boolean;
}

export const INTERNET: Network = { resolve: resolveByDns, permits: isPublicAddress };

/** Why no request was sent: the host has no address, or one that is not permitted. */
export class AddressError extends Error {
  constructor(readonly reason: 'dns' | 'forbidden_address') {
    super(reason);
  }
}

/**
 * Returns the addresses of a URL's host, all of which are permitted. Throws an `AddressError` otherwise. The request must
 * go to these addresses, because a second lookup may give others.
 */
export async function permittedAddresses(
  target: URL,
  network: Network,
  deadline: AbortSignal,
): Promise<readonly string[]> {
  const literal = literalAddress(target);
  const addresses = literal === undefined ? await resolved(target.hostname, network, deadline) : [literal];
  if (!addresses.every((address) => network.permits(address))) throw new AddressError('forbidden_address');
  return addresses;
}

/**
 * Returns the address that a URL names without a lookup. The URL parser has normalised addresses in any notation (`127.1`,
 * `0x7f.1`, `[::ffff:127.0.0.1]`). `localhost` is this machine (RFC 6761). undefined: a host name.
 */
export function literalAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return host;
  return /^(?:.*\.)?localhost\.?$/i.test(host) ? '127.0.0.1' : undefined;
}

async function resolved(host: string, network: Network, deadline: AbortSignal): Promise<readonly string[]> {
  const addresses = await network.resolve(host, deadline).catch(() => []);
  if (addresses.length === 0) throw new AddressError('dns');
  return addresses;
}

/** Queries name servers directly, because `dns.lookup` cannot be cancelled and blocks a thread of the pool. */
async function resolveByDns(host: string, deadline: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  deadline.addEventListener('abort', () => resolver.cancel());
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
