import { Agent as HttpAgent, type ClientRequest, request as requestHttp, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

const REQUEST = new Map([
  ['http:', requestHttp],
  ['https:', requestHttps],
]);

/**
 * Begins a request to checked addresses, without a second DNS lookup, on a connection of its own. It follows no redirects
 * and obeys no proxy settings of the environment. Throws for other protocols than http and https.
 */
export function pinnedRequest(target: URL, addresses: readonly string[], options: RequestOptions): ClientRequest {
  const begin = REQUEST.get(target.protocol);
  if (begin === undefined) throw new TypeError(`no request for ${target.protocol}`);
  return begin(target, { agent: false, lookup: fixedLookup(addresses), ...options });
}

/** Keeps the connections of pinned requests for further requests. */
export class PinnedConnections {
  private readonly agents: Readonly<Record<string, HttpAgent>>;

  /** `idleMs`: how long an unused connection stays open. `maxIdle`: unused connections to a host. */
  constructor({ idleMs, maxIdle }: { readonly idleMs: number; readonly maxIdle: number }) {
    const options = { keepAlive: true, timeout: idleMs, maxFreeSockets: maxIdle };
    this.agents = { 'http:': pinned(new HttpAgent(options)), 'https:': pinned(new HttpsAgent(options)) };
  }

  /**
   * As `pinnedRequest`, if possible on a connection that an earlier request has left: one to the same addresses, which have
   * been checked again. `reusedSocket` of the request tells that it is such a connection.
   */
  request(target: URL, addresses: readonly string[], options: RequestOptions): ClientRequest {
    const pinnedTo: PinnedOptions = { ...options, agent: this.agents[target.protocol], addresses };
    return pinnedRequest(target, addresses, pinnedTo);
  }

  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }
}

interface PinnedOptions extends RequestOptions {
  readonly addresses?: readonly string[];
}

/** Makes an agent reuse connections for requests to the same addresses only, not to the same host. */
function pinned(agent: HttpAgent): HttpAgent {
  const nameOf = agent.getName.bind(agent);
  agent.getName = (options: PinnedOptions = {}) => `${nameOf(options)} ${options.addresses?.toSorted().join()}`;
  return agent;
}

/** As `pinnedRequest`, on a connection that is open: a tunnel to a checked address. */
export function requestOver(tunnel: Duplex, target: URL, options: RequestOptions): ClientRequest {
  const begin = REQUEST.get(target.protocol);
  if (begin === undefined) throw new TypeError(`no request for ${target.protocol}`);
  const servername = isIP(target.hostname) === 0 ? target.hostname : '';
  const createConnection = () =>
    target.protocol === 'https:' ? connectTls({ socket: tunnel, servername }) : (tunnel as Socket);
  return begin(target, { createConnection, ...options });
}

function fixedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    const [{ address, family } = { address: '', family: 0 }] = found;
    if (all) callback(null, found);
    else callback(null, address, family);
  };
}
