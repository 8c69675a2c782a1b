import type { IncomingMessage } from 'node:http';
import { INTERNET, type Network, permittedAddresses } from '../outbound/network.js';
import { pinnedRequest } from '../outbound/pinned-request.js';
import { type ImageSize, readImageSize } from './image-size.js';

/** What a probe found out about an image. */
export type ImageMeasures = Partial<ImageSize> & { readonly filesize?: number };

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 65_536;
/** The largest value of the database column, in bytes. */
const MAX_FILESIZE = 4_294_967_295;

/** Fetches the beginning of an image. Returns undefined for a rejected URL (contract section 8, "Image"). */
export async function probeImage(url: string, network: Network = INTERNET): Promise<ImageMeasures | undefined> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const target = new URL(url);
    const addresses = await permittedAddresses(target, network, deadline);
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

/** Sends the request to the checked addresses. Follows no redirects. */
function get(target: URL, addresses: readonly string[], signal: AbortSignal): Promise<IncomingMessage> {
  const headers = { 'User-Agent': 'Kalends', Accept: 'image/*', 'Accept-Encoding': 'identity' };
  return new Promise((resolve, reject) => {
    pinnedRequest(target, addresses, { headers, signal })
      .on('response', resolve)
      .on('error', reject)
      // Some failures, such as a response 101, have no `error` event.
      .on('close', () => reject(new Error('closed without an answer')))
      .end();
  });
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
