import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { apiError } from '../../../errors/api-error.js';
import type { BodyReservation } from './body-reservation.js';
import { invalidJson } from './json-body.js';

/** Keyed by Content-Encoding. */
const DECOMPRESSORS = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

export type BodyEncoding = keyof typeof DECOMPRESSORS | 'identity';

/** Returns the encoding of a body, or undefined if it is not supported. */
export function encodingOf(contentEncoding = 'identity'): BodyEncoding | undefined {
  const name = contentEncoding.toLowerCase();
  return name === 'identity' || Object.hasOwn(DECOMPRESSORS, name) ? (name as BodyEncoding) : undefined;
}

/** A compressed body. It is decompressed only after authentication (contract section 6). */
export interface CompressedBody {
  readonly bytes: Buffer;
  readonly encoding: Exclude<BodyEncoding, 'identity'>;
  readonly reservation: BodyReservation;
  /** Takes the decompressed bytes. */
  readonly accept: (bytes: Buffer) => void;
}

/**
 * Decompresses a body. Throws 413 as soon as the result exceeds `maxBytes`. Synchronous, because it takes no longer
 * than parsing the result, while many asynchronous decompressors at a time would need much memory.
 */
export function decompress({ bytes, encoding, reservation }: CompressedBody, maxBytes: number): Buffer {
  if (bytes.length === 0) return bytes;
  reservation.reserve(maxBytes);
  const decompressed = decompressedBytes(bytes, encoding, maxBytes);
  reservation.release(maxBytes - decompressed.length + bytes.length);
  return decompressed;
}

function decompressedBytes(bytes: Buffer, encoding: CompressedBody['encoding'], maxBytes: number): Buffer {
  try {
    return DECOMPRESSORS[encoding](bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? apiError('rest_body_too_large')
      : invalidJson(4);
  }
}
