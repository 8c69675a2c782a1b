import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';

/** What is shorter is not worth it (contract 5.1). */
export const LEAST_GZIPPED = 1024;
/** From level 4 on twice the time saves a tenth of the bytes. */
export const GZIP = { level: 3 };
/** Up to here a thread would take longer to be asked than it saves. */
const MOST_AT_ONCE = 64 * 1024;

const gzipLater = promisify(gzip);

/** Of larger ones in a thread: the event loop goes on. */
export function gzipped(bytes: Buffer): Buffer | Promise<Buffer> {
  return bytes.length <= MOST_AT_ONCE ? gzipSync(bytes, GZIP) : gzipLater(bytes, GZIP);
}

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** Whether a client takes gzip (contract 5.1: q above 0); one that says nothing does not. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  const weights = new Map(acceptEncoding.split(',').map(weighted));
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}

/** `gzip;q=0.5`; a weight that cannot be read is none. */
function weighted(coding: string): [string, number] {
  const [name = '', ...parameters] = coding.split(';').map((part) => part.trim());
  if (parameters.length === 0) return [name.toLowerCase(), 1];
  return [name.toLowerCase(), Number(WEIGHT.exec(parameters[0] ?? '')?.[1] ?? 0)];
}
