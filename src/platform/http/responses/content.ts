import { createHash } from 'node:crypto';

/** Bodies are made and handed over in pieces of about so many bytes. */
export const PIECE = 256 * 1024;

/** The bytes of a body, and its gzipped form where that was made. */
export class Content {
  readonly length: number;

  constructor(
    readonly pieces: readonly Buffer[],
    readonly gzipped?: Buffer,
  ) {
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  static ofText(text: string): Content {
    return Content.ofBytes(Buffer.from(text));
  }

  static ofBytes(bytes: Buffer): Content {
    return new Content(piecesOf(bytes));
  }

  /** All of them in one piece. */
  get bytes(): Buffer {
    return this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces);
  }

  /** What it takes to keep both forms. */
  get weight(): number {
    return this.length + (this.gzipped?.length ?? 0);
  }

  withGzipped(gzipped: Buffer): Content {
    return new Content(this.pieces, gzipped);
  }
}

/** Takes texts one after the other, and holds them as bytes. */
export class ContentMaker {
  private readonly hash = createHash('sha256');
  private readonly pieces: Buffer[] = [];
  private texts: string[] = [];
  private characters = 0;
  length = 0;

  /** Answers whether a piece is full. */
  add(text: string): boolean {
    this.texts.push(text);
    this.characters += text.length;
    if (this.characters < PIECE) return false;
    this.cut();
    return true;
  }

  /** All that was added, and the digest of it. */
  end(): { readonly content: Content; readonly digest: string } {
    this.cut();
    return { content: new Content(this.pieces), digest: this.hash.digest('base64url').slice(0, 27) };
  }

  private cut(): void {
    const bytes = Buffer.from(this.texts.length === 1 ? this.texts[0]! : this.texts.join(''));
    this.hash.update(bytes);
    // One text may be longer than a piece.
    this.pieces.push(...piecesOf(bytes));
    this.length += bytes.length;
    [this.texts, this.characters] = [[], 0];
  }
}

function piecesOf(bytes: Buffer): Buffer[] {
  if (bytes.length <= PIECE) return bytes.length === 0 ? [] : [bytes];
  const count = Math.ceil(bytes.length / PIECE);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * PIECE, (index + 1) * PIECE));
}
