import { createHash } from 'node:crypto';

/** Approximate size of the chunks in which bodies are rendered and sent, in bytes. */
export const CHUNK_BYTES = 256 * 1024;

/** The bytes of a response body, and its gzipped form if it was made. */
export class Content {
  constructor(
    readonly chunks: readonly Buffer[],
    readonly gzipped?: Buffer,
    readonly length = chunks.reduce((sum, chunk) => sum + chunk.length, 0),
  ) {}

  static ofText(text: string): Content {
    return Content.ofBytes(Buffer.from(text));
  }

  static ofBytes(bytes: Buffer): Content {
    return new Content(splitIntoChunks(bytes));
  }

  /** The whole body in one buffer. */
  get bytes(): Buffer {
    return this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
  }

  /** The bytes of both forms: their size in the cache. */
  get totalBytes(): number {
    return this.length + (this.gzipped?.length ?? 0);
  }

  withGzipped(gzipped: Buffer): Content {
    return new Content(this.chunks, gzipped);
  }

  /** The length alone, which a 304 needs. */
  withoutBytes(): Content {
    return new Content([], undefined, this.length);
  }

  get hasBytes(): boolean {
    return this.length === 0 || this.chunks.length > 0;
  }
}

/** Builds `Content` and its digest from strings, chunk by chunk. */
export class ContentBuilder {
  private readonly hash = createHash('sha256');
  private readonly chunks: Buffer[] = [];
  private texts: string[] = [];
  private characters = 0;
  length = 0;

  /** Appends text. Returns whether this completed a chunk. */
  add(text: string): boolean {
    this.texts.push(text);
    this.characters += text.length;
    if (this.characters < CHUNK_BYTES) return false;
    this.flush();
    return true;
  }

  /** Returns everything that was added, and its digest. */
  end(): { readonly content: Content; readonly digest: string } {
    this.flush();
    return { content: new Content(this.chunks), digest: this.hash.digest('base64url').slice(0, 27) };
  }

  private flush(): void {
    const bytes = Buffer.from(this.texts.length === 1 ? this.texts[0]! : this.texts.join(''));
    this.hash.update(bytes);
    // One string may be longer than a chunk.
    this.chunks.push(...splitIntoChunks(bytes));
    this.length += bytes.length;
    [this.texts, this.characters] = [[], 0];
  }
}

function splitIntoChunks(bytes: Buffer): Buffer[] {
  if (bytes.length <= CHUNK_BYTES) return bytes.length === 0 ? [] : [bytes];
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES));
}
