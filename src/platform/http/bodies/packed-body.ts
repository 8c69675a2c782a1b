import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { apiError } from '../../../errors/api-error.js';
import type { BodyReservation } from './body-reservation.js';
import { invalidJson } from './json-body.js';

/** By the Content-Encoding of a body. */
const UNPACKERS = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

export type Packing = keyof typeof UNPACKERS | 'identity';

/** How a body is packed; undefined: in a way that nobody here can unpack. */
export function packingOf(contentEncoding = 'identity'): Packing | undefined {
  const name = contentEncoding.toLowerCase();
  return name === 'identity' || Object.hasOwn(UNPACKERS, name) ? (name as Packing) : undefined;
}

/** A body that waits to be unpacked until it is known who sent it (contract section 6). */
export interface PackedBody {
  readonly bytes: Buffer;
  readonly packing: Exclude<Packing, 'identity'>;
  readonly room: BodyReservation;
  /** The values of the unpacked bytes. */
  readonly read: (bytes: Buffer) => Record<string, unknown>;
}

/**
 * Unpacks `most` bytes at most, piece by piece: what is more is refused (413) before it is unpacked. At once instead of in
 * the background, since it takes no longer than to parse the result, and a thousand unpackers at once would take memory.
 */
export function unpack({ bytes, packing, room }: PackedBody, most: number): Buffer {
  if (bytes.length === 0) return bytes;
  room.take(most);
  const unpacked = unpackedBytes(bytes, packing, most);
  room.release(most - unpacked.length + bytes.length);
  return unpacked;
}

function unpackedBytes(bytes: Buffer, packing: PackedBody['packing'], most: number): Buffer {
  try {
    return UNPACKERS[packing](bytes, { maxOutputLength: most });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? apiError('rest_body_too_large')
      : invalidJson(4);
  }
}
