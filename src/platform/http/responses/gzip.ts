import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';

/** Shorter bodies, in bytes, are sent uncompressed (contract 5.1). */
export const MIN_GZIP_BYTES = 1024;
/** Level 4 and above would take twice the time to save a tenth of the bytes. */
export const GZIP_OPTIONS = { level: 3 };
/** Up to this size, in bytes, compressing costs less than handing the work to a thread. */
const MAX_SYNC_BYTES = 64 * 1024;

const gzipInThread = promisify(gzip);

/** Compresses small bodies synchronously and larger ones in a thread, so that the event loop continues. */
export function gzipped(bytes: Buffer): Buffer | Promise<Buffer> {
  return bytes.length <= MAX_SYNC_BYTES ? gzipSync(bytes, GZIP_OPTIONS) : gzipInThread(bytes, GZIP_OPTIONS);
}

const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** Whether the client accepts gzip: q above 0; without the header it does not (contract 5.1). */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  const qualities = new Map(acceptEncoding.split(',').map(parseCoding));
  return (qualities.get('gzip') ?? qualities.get('x-gzip') ?? qualities.get('*') ?? 0) > 0;
}

/** Parses `gzip;q=0.5`. An invalid quality value counts as 0. */
function parseCoding(coding: string): [string, number] {
  const [name = '', ...parameters] = coding.split(';').map((part) => part.trim());
  if (parameters.length === 0) return [name.toLowerCase(), 1];
  return [name.toLowerCase(), Number(QUALITY.exec(parameters[0] ?? '')?.[1] ?? 0)];
}
