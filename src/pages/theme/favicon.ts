const SIZE = 16;
const HEADER_BYTES = 40;
/** Blue, green, red and alpha, as bitmaps store them. */
const [INK, RED, NONE] = [
  [0x1a, 0x1e, 0x21, 0xff],
  [0x1f, 0x27, 0xa3, 0xff],
  [0, 0, 0, 0],
];

/** Returns the mark as an icon of 16 by 16 pixels, for browsers that ask for `/favicon.ico`. */
export function favicon(): Buffer {
  const mask = (SIZE * 32) / 8;
  const pixels = SIZE * SIZE * 4;
  const image = Buffer.alloc(HEADER_BYTES + pixels + mask);
  image.writeUInt32LE(HEADER_BYTES, 0);
  image.writeInt32LE(SIZE, 4);
  // Twice the height: pixels and mask.
  image.writeInt32LE(SIZE * 2, 8);
  image.writeUInt16LE(1, 12);
  image.writeUInt16LE(32, 14);
  image.writeUInt32LE(pixels, 20);
  for (let row = 0; row < SIZE; row += 1) {
    // Bitmaps begin with the lowest row.
    for (let column = 0; column < SIZE; column += 1)
      image.set(colourAt(column, SIZE - 1 - row), HEADER_BYTES + (row * SIZE + column) * 4);
  }
  const directory = Buffer.alloc(22);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(1, 4);
  directory.set([SIZE, SIZE], 6);
  directory.writeUInt16LE(1, 10);
  directory.writeUInt16LE(32, 12);
  directory.writeUInt32LE(image.length, 14);
  directory.writeUInt32LE(directory.length, 18);
  return Buffer.concat([directory, image]);
}

function colourAt(column: number, row: number): readonly number[] {
  const isInside = column >= 1 && column <= 14 && row >= 2 && row <= 14;
  if (!isInside) return NONE;
  if (row <= 5) return RED;
  return column === 1 || column === 14 || row === 14 ? INK : NONE;
}
