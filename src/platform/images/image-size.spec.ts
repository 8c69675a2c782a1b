import { readImageSize } from './image-size.js';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
const be16 = (value: number) => [value >> 8, value & 0xff];
const le16 = (value: number) => [value & 0xff, value >> 8];
const zeros = (count: number) => Array<number>(count).fill(0);

const PNG = bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, ...be16(640)], [0, 0, ...be16(480)]);
const GIF = bytes('GIF89a', le16(320), le16(200));
const riff = (...chunk: (string | number[])[]) => bytes('RIFF', zeros(4), 'WEBP', ...chunk);
const LOSSY = riff('VP8 ', zeros(7), [0x9d, 0x01, 0x2a], le16(550 | 0x4000), le16(368 | 0x8000));
const packed = 385 | (394 << 14);
const LOSSLESS = riff('VP8L', zeros(4), [0x2f], le16(packed & 0xffff), le16(packed >>> 16), zeros(5));
const EXTENDED = riff('VP8X', zeros(8), [0x0f, 0x27, 0], [0x1f, 0x4e, 0]);

const segment = (marker: number, length: number) => [0xff, marker, ...be16(length), ...zeros(length - 2)];
const frame = (marker: number, width: number, height: number) => [
  ...[0xff, marker, 0, 17, 8],
  ...be16(height),
  ...be16(width),
  ...zeros(10),
];
const jpeg = (...segments: number[][]) => bytes([0xff, 0xd8], ...segments);
const JPEG = jpeg(segment(0xe0, 16), frame(0xc0, 1024, 768));

describe('readImageSize', () => {
  it.each([
    ['PNG', PNG, 640, 480],
    ['GIF', GIF, 320, 200],
    ['GIF of 1987', bytes('GIF87a', le16(1), le16(65535)), 1, 65535],
    ['lossy WebP', LOSSY, 550, 368],
    ['lossless WebP', LOSSLESS, 386, 395],
    ['extended WebP', EXTENDED, 10000, 20000],
    ['JPEG', JPEG, 1024, 768],
    ['progressive JPEG', jpeg(segment(0xe1, 5000), segment(0xc4, 20), frame(0xc2, 3, 4)), 3, 4],
    ['JPEG with filling', jpeg([0xff, 0xff, 0xff], segment(0xfe, 2), [0xff, 0x01], frame(0xc1, 5, 6)), 5, 6],
  ])('%s', (_, file, width, height) => expect(readImageSize(file)).toEqual({ width, height }));

  it.each([
    ['nothing', bytes()],
    ['text', bytes('<html><body>no image</body></html>')],
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>')],
    ['a PNG without its header', bytes('\x89PNG\r\n\x1a\n', zeros(40))],
    ['a PNG of no width', Buffer.from(PNG).fill(0, 16, 20)],
    ['WebP of an unknown kind', riff('VP9 ', zeros(40))],
    ['a RIFF that is no image', bytes('RIFF', zeros(4), 'WAVE', zeros(40))],
    ['a JPEG whose frame comes after the pixels', jpeg(segment(0xda, 8), frame(0xc0, 1, 1))],
    ['a JPEG that ends', jpeg([0xff, 0xd9], frame(0xc0, 1, 1))],
    ['a JPEG of no height', jpeg(frame(0xc0, 9, 0))],
    ['a JPEG out of step', jpeg([0, 0], frame(0xc0, 1, 1))],
    ['a JPEG of empty segments', jpeg(...Array<number[]>(1000).fill([0xff, 0xe0, 0, 0]))],
  ])('%s: returns undefined', (_, file) => expect(readImageSize(file)).toBeUndefined());

  it.each([
    ['PNG', PNG],
    ['GIF', GIF],
    ['lossy WebP', LOSSY],
    ['lossless WebP', LOSSLESS],
    ['extended WebP', EXTENDED],
    ['JPEG', JPEG.subarray(0, 2 + 18 + 9)],
  ])('%s, truncated anywhere in its header: returns undefined without an error', (_, file) => {
    for (let length = 0; length < file.length; length += 1)
      expect(readImageSize(file.subarray(0, length))).toBeUndefined();
  });

  it('random bytes cause no error', () => {
    let seed = 1;
    const random = () => (seed = (seed * 48271) % 2147483647) & 0xff;
    for (const start of [PNG.subarray(0, 12), LOSSY.subarray(0, 16), jpeg(), GIF.subarray(0, 6), bytes()]) {
      for (let count = 0; count < 500; count += 1) readImageSize(bytes([...start], Array.from({ length: 60 }, random)));
    }
  });
});
