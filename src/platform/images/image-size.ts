export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Width and height from the first bytes of a PNG, GIF, JPEG or WebP file, if they say so. */
export function readImageSize(bytes: Buffer): ImageSize | undefined {
  for (const read of [readPng, readGif, readWebp, readJpeg]) {
    const size = read(bytes);
    if (size !== undefined && size.width > 0 && size.height > 0) return size;
  }
  return undefined;
}

function readPng(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 24 || !holds(bytes, 0, '\x89PNG\r\n\x1a\n') || !holds(bytes, 12, 'IHDR')) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readGif(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 10 || !(holds(bytes, 0, 'GIF87a') || holds(bytes, 0, 'GIF89a'))) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** WebP has three kinds of first chunks, which begin at byte 12: lossy, lossless, extended. */
function readWebp(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30 || !holds(bytes, 0, 'RIFF') || !holds(bytes, 8, 'WEBP')) return undefined;
  if (holds(bytes, 12, 'VP8 ') && holds(bytes, 23, '\x9d\x01\x2a')) {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
  if (holds(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const packed = bytes.readUInt32LE(21);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  if (holds(bytes, 12, 'VP8X')) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  return undefined;
}

/** Walks the segments of a JPEG to the header of its frame. */
function readJpeg(bytes: Buffer): ImageSize | undefined {
  if (!holds(bytes, 0, '\xff\xd8')) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (isFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    if (marker === END_OF_IMAGE || marker === START_OF_SCAN) return undefined;
    at += segmentLength(bytes, at, marker);
  }
  return undefined;
}

const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;

/** Start of frame, of any coding; three numbers of its range mean other things. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function segmentLength(bytes: Buffer, at: number, marker: number): number {
  if (marker === 0xff) return 1; // filling before the marker
  const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
  return isBare ? 2 : 2 + bytes.readUInt16BE(at + 2);
}

function holds(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}
