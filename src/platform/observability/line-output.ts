import { write, writeSync } from 'node:fs';

/** Largest write, in bytes. A pipe accepts it completely or not at all (PIPE_BUF), so lines of workers do not mix. */
const CHUNK_BYTES = 4_096;
/** Lines are written when they fill a chunk, or after this delay. */
const FLUSH_DELAY_MS = 100;
/** Delay between attempts to write to a slow reader, in milliseconds. */
const RETRY_DELAY_MS = 20;
/** Buffered bytes for a slow reader. Further lines are dropped. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

/** Complete lines that are written together. */
interface Chunk {
  text: string;
  bytes: number;
}

/**
 * Writes lines without ever blocking, even if the reader is slow or gone. Drops lines that cannot be written.
 */
export class LineOutput {
  private readonly chunks: Chunk[] = [];
  /** Bytes of all chunks. */
  private bytes = 0;
  /** The bytes that are being written, or the rest of them. */
  private head: Buffer | undefined;
  private isWriting = false;
  /** Whether incomplete chunks are written, too. */
  private isFlushing = false;
  private flushTimer: NodeJS.Timeout | undefined;
  /** Timer of the next attempt to write the head. */
  private retryTimer: NodeJS.Timeout | undefined;
  private callbacks: (() => void)[] = [];

  /** `descriptor`: a file, or a non-blocking pipe or socket. */
  constructor(private readonly descriptor: number) {}

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.bytes + bytes > MAX_BUFFERED_BYTES) return;
    const last = this.chunks.at(-1);
    if (last === undefined || last.bytes + bytes > CHUNK_BYTES) this.chunks.push({ text: line, bytes });
    else Object.assign(last, { text: last.text + line, bytes: last.bytes + bytes });
    this.bytes += bytes;
    this.schedule();
  }

  /** Writes all buffered lines without a delay. */
  flush(): void {
    this.isFlushing = true;
    this.schedule();
  }

  /** Resolves when everything is written. */
  async written(): Promise<void> {
    this.flush();
    if (this.isWriting) await new Promise<void>((done) => this.callbacks.push(done));
  }

  /** Writes everything synchronously, for exits. Gives up at the timeout, or if the reader is gone. */
  flushSync(timeoutMs: number): void {
    const end = Date.now() + timeoutMs;
    // A thread writes the head already.
    if (this.isWriting && this.retryTimer === undefined) this.head = undefined;
    for (let head = this.next(); head !== undefined; head = this.next()) {
      try {
        this.removeWritten(writeSync(this.descriptor, head));
      } catch (error) {
        if (!isTemporary(error) || Date.now() > end) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_DELAY_MS);
      }
    }
  }

  private schedule(): void {
    if (this.isWriting) return;
    if (this.bytes >= CHUNK_BYTES || this.isFlushing) this.writeNext();
    else this.flushTimer ??= setTimeout(() => this.flush(), FLUSH_DELAY_MS).unref();
  }

  private writeNext(): void {
    clearTimeout(this.flushTimer);
    this.flushTimer = this.retryTimer = undefined;
    const head = this.next();
    this.isWriting = head !== undefined;
    if (head === undefined) this.resolveWritten();
    else write(this.descriptor, head, (error, bytes) => this.onWritten(error, bytes));
  }

  private onWritten(error: Error | null, bytes: number): void {
    if (error !== null && isTemporary(error)) {
      this.retryTimer = setTimeout(() => this.writeNext(), RETRY_DELAY_MS).unref();
      return;
    }
    if (error === null) this.removeWritten(bytes);
    else this.drop();
    this.isWriting = false;
    if (this.head !== undefined || this.isFlushing || this.bytes >= CHUNK_BYTES) this.writeNext();
    else if (this.bytes > 0) this.schedule();
  }

  private resolveWritten(): void {
    this.isFlushing = false;
    this.callbacks.splice(0).forEach((done) => done());
  }

  private next(): Buffer | undefined {
    if (this.head !== undefined) return this.head;
    const chunk = this.chunks.shift();
    if (chunk === undefined) return undefined;
    this.bytes -= chunk.bytes;
    this.head = Buffer.from(chunk.text);
    return this.head;
  }

  private removeWritten(bytes: number): void {
    const rest = this.head?.subarray(bytes);
    this.head = rest !== undefined && rest.length > 0 ? rest : undefined;
  }

  private drop(): void {
    this.head = undefined;
    this.chunks.length = 0;
    this.bytes = 0;
  }
}

/** Whether the reader is only slow. */
function isTemporary(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return code === 'EAGAIN' || code === 'EBUSY';
}
