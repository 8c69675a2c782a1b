import { Resolver } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type ImageSize, readImageSize } from './image-size.js';
import { isPublicAddress } from './public-network.js';

/** What a probe found out about an image. */
export type ImageMeasures = Partial<ImageSize> & { readonly filesize?: number };

/** Name resolution and the permitted addresses of probes; replaced in tests. */
export interface Network {
  /** Returns the addresses of a host name. Returns none or throws for an unknown host. */
  readonly resolve: (host: string, deadline: AbortSignal) => Promise<readonly string[]>;
  readonly permits: (address: string) => boolean;
}

export const INTERNET: Network = { resolve: resolveByDns, permits: isPublicAddress };

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 65_536;
/** The largest value of the database column, in bytes. */
const MAX_FILESIZE = 4_294_967_295;
const REQUEST = new Map([
  ['http:', requestHttp],
  ['https:', requestHttps],
]);

/** Fetches the beginning of an image. Returns undefined for a rejected URL (contract section 8, "Image"). */
export async function probeImage(url: string, network: Network = INTERNET): Promise<ImageMeasures | undefined> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const target = new URL(url);
    const addresses = await addressesOf(target, network, deadline);
    if (addresses.length === 0 || !addresses.every((address) => network.permits(address))) return undefined;
    const response = await get(target, addresses, deadline);
    if (!isImage(response)) {
      response.destroy();
      return undefined;
    }
    return { ...readImageSize(await readStart(response)), filesize: fileSize(response) };
  } catch {
    return undefined;
  }
}

/** The URL parser has normalised IP addresses in any notation (`127.1`, `0x7f.1`, `[::ffff:127.0.0.1]`). */
async function addressesOf(target: URL, network: Network, deadline: AbortSignal): Promise<readonly string[]> {
  const host = target.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? network.resolve(host, deadline) : [host];
}

/** Queries name servers directly, because `dns.lookup` cannot be cancelled and blocks a thread of the pool. */
async function resolveByDns(host: string, deadline: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  deadline.addEventListener('abort', () => resolver.cancel());
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/** Sends the request to the checked addresses, without a second DNS lookup. Follows no redirects. */
function get(target: URL, addresses: readonly string[], signal: AbortSignal): Promise<IncomingMessage> {
  const request = REQUEST.get(target.protocol);
  if (request === undefined) throw new TypeError(`no request for ${target.protocol}`);
  const headers = { 'User-Agent': 'Kalends', Accept: 'image/*', 'Accept-Encoding': 'identity' };
  return new Promise((resolve, reject) => {
    request(target, { headers, signal, agent: false, lookup: fixedLookup(addresses) })
      .on('response', resolve)
      .on('error', reject)
      // Some failures, such as a response 101, have no `error` event.
      .on('close', () => reject(new Error('closed without an answer')))
      .end();
  });
}

function fixedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    const [{ address, family } = { address: '', family: 0 }] = found;
    if (all) callback(null, found);
    else callback(null, address, family);
  };
}

function isImage({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 200 && /^image\/[^\s;]/i.test(headers['content-type'] ?? '');
}

/** Reads until the end, the limit or the deadline. A partial body counts, because the headers came in time. */
async function readStart(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_BYTES) break;
    }
  } catch {
    // The connection failed or the deadline passed.
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES);
}

/** Returns the Content-Length, unless the response is compressed. */
function fileSize({ headers }: IncomingMessage): number | undefined {
  const stated = headers['content-length'] ?? '';
  if (!/^\d{1,10}$/.test(stated) || headers['content-encoding'] !== undefined) return undefined;
  const bytes = Number(stated);
  return bytes > 0 && bytes <= MAX_FILESIZE ? bytes : undefined;
}
