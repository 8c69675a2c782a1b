import { Resolver } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type ImageSize, readImageSize } from './image-size.js';
import { isPublicAddress } from './public-network.js';

/** What a probe tells of an image, as far as it is known. */
export type ImageMeasures = Partial<ImageSize> & { readonly filesize?: number };

/** Where a probe looks hosts up, and which addresses it may connect to; tests replace it. */
export interface Network {
  /** The addresses of a host name; none or an error: there is no such host. */
  readonly resolve: (host: string, deadline: AbortSignal) => Promise<readonly string[]>;
  readonly permits: (address: string) => boolean;
}

export const INTERNET: Network = { resolve: resolveByDns, permits: isPublicAddress };

const DEADLINE = 5_000;
const MOST_BYTES = 65_536;
/** The largest number that an id column holds. */
const LARGEST_FILE = 4_294_967_295;
const REQUEST = new Map([
  ['http:', requestHttp],
  ['https:', requestHttps],
]);

/** Fetches the beginning of an image once; undefined: contract section 8, "Image", refuses the URL. */
export async function probeImage(url: string, network: Network = INTERNET): Promise<ImageMeasures | undefined> {
  const deadline = AbortSignal.timeout(DEADLINE);
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

/** The URL parser has turned every spelling of an IP address (`127.1`, `0x7f.1`, `[::ffff:127.0.0.1]`) into the usual one. */
async function addressesOf(target: URL, network: Network, deadline: AbortSignal): Promise<readonly string[]> {
  const host = target.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? network.resolve(host, deadline) : [host];
}

/** Asks the name servers itself: the system's look-up cannot be ended and keeps a thread that others wait for. */
async function resolveByDns(host: string, deadline: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  deadline.addEventListener('abort', () => resolver.cancel());
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/** Sends the request to the addresses that were checked; the name is not looked up again. Follows no redirect. */
function get(target: URL, addresses: readonly string[], signal: AbortSignal): Promise<IncomingMessage> {
  const request = REQUEST.get(target.protocol);
  if (request === undefined) throw new TypeError(`no request for ${target.protocol}`);
  const headers = { 'User-Agent': 'Kalends', Accept: 'image/*', 'Accept-Encoding': 'identity' };
  return new Promise((resolve, reject) => {
    request(target, { headers, signal, agent: false, lookup: answering(addresses) })
      .on('response', resolve)
      .on('error', reject)
      // Some ends, such as an answer 101, come without an error.
      .on('close', () => reject(new Error('closed without an answer')))
      .end();
  });
}

function answering(addresses: readonly string[]): LookupFunction {
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

/** Reads until the end, the limit or the deadline: the answer came in time, and what is missing is unknown. */
async function readStart(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MOST_BYTES) break;
    }
  } catch {
    // Broken off.
  }
  return Buffer.concat(chunks).subarray(0, MOST_BYTES);
}

/** The length that the server states; that of a compressed answer is not the file's. */
function fileSize({ headers }: IncomingMessage): number | undefined {
  const stated = headers['content-length'] ?? '';
  if (!/^\d{1,10}$/.test(stated) || headers['content-encoding'] !== undefined) return undefined;
  const bytes = Number(stated);
  return bytes > 0 && bytes <= LARGEST_FILE ? bytes : undefined;
}
