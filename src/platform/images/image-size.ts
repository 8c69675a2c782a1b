export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Returns width and height from the first bytes of a PNG, GIF, JPEG or WebP file, or undefined. */
export function readImageSize(bytes: Buffer): ImageSize | undefined {
  for (const read of [readPng, readGif, readWebp, readJpeg]) {
    const size = read(bytes);
    if (size !== undefined && size.width > 0 && size.height > 0) return size;
  }
  return undefined;
}

function readPng(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 24 || !hasTextAt(bytes, 0, '\x89PNG\r\n\x1a\n') || !hasTextAt(bytes, 12, 'IHDR')) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readGif(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 10 || !(hasTextAt(bytes, 0, 'GIF87a') || hasTextAt(bytes, 0, 'GIF89a'))) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** WebP has three kinds of first chunks, which begin at byte 12: lossy, lossless, extended. */
function readWebp(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30 || !hasTextAt(bytes, 0, 'RIFF') || !hasTextAt(bytes, 8, 'WEBP')) return undefined;
  if (hasTextAt(bytes, 12, 'VP8 ') && hasTextAt(bytes, 23, '\x9d\x01\x2a')) {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
  if (hasTextAt(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const packed = bytes.readUInt32LE(21);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  if (hasTextAt(bytes, 12, 'VP8X')) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  return undefined;
}

/** Walks the segments of a JPEG to its frame header. */
function readJpeg(bytes: Buffer): ImageSize | undefined {
  if (!hasTextAt(bytes, 0, '\xff\xd8')) return undefined;
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

/** Whether a marker is a start of frame (SOF). Three values of the range have other meanings. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function segmentLength(bytes: Buffer, at: number, marker: number): number {
  if (marker === 0xff) return 1; // fill byte before the marker
  const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
  return isBare ? 2 : 2 + bytes.readUInt16BE(at + 2);
}

function hasTextAt(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}
