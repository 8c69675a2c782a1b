import { write, writeSync } from 'node:fs';

/** The most that is written at once, in bytes: a pipe takes it whole or not at all, so lines of workers do not mix. */
const PIECE = 4_096;
/** Lines are written together once they fill a piece, or have waited for so many milliseconds. */
const DELAY = 100;
/** Between attempts to write to a reader who does not keep up, in milliseconds. */
const PAUSE = 20;
/** What waits for a reader at most, in bytes; further lines are dropped. */
const MOST_WAITING = 8 * 1024 * 1024;

/** Whole lines that are written together. */
interface Piece {
  text: string;
  bytes: number;
}

/**
 * Lines on their way to a reader who may be slow, gone, or never there: nobody waits for him, and what cannot be written
 * is dropped.
 */
export class LineOutput {
  private readonly pieces: Piece[] = [];
  /** Of all pieces. */
  private bytes = 0;
  /** What is being written, or is left of it. */
  private head: Buffer | undefined;
  private isWriting = false;
  /** Whether short pieces are written, too. */
  private isFlushing = false;
  private timer: NodeJS.Timeout | undefined;
  /** Until the next attempt to write the head. */
  private pause: NodeJS.Timeout | undefined;
  private waiting: (() => void)[] = [];

  /** `descriptor`: of a file, or of a pipe or socket that does not block. */
  constructor(private readonly descriptor: number) {}

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.bytes + bytes > MOST_WAITING) return;
    const last = this.pieces.at(-1);
    if (last === undefined || last.bytes + bytes > PIECE) this.pieces.push({ text: line, bytes });
    else Object.assign(last, { text: last.text + line, bytes: last.bytes + bytes });
    this.bytes += bytes;
    this.goOn();
  }

  /** Writes what waits, however little it is. */
  flush(): void {
    this.isFlushing = true;
    this.goOn();
  }

  /** Done when nothing waits any more. */
  async written(): Promise<void> {
    this.flush();
    if (this.isWriting) await new Promise<void>((done) => this.waiting.push(done));
  }

  /** The same at once, for exits; gives up after so many milliseconds, or when the reader is gone. */
  flushSync(mostMilliseconds: number): void {
    const end = Date.now() + mostMilliseconds;
    // A thread is writing it.
    if (this.isWriting && this.pause === undefined) this.head = undefined;
    for (let head = this.next(); head !== undefined; head = this.next()) {
      try {
        this.took(writeSync(this.descriptor, head));
      } catch (error) {
        if (!mayPass(error) || Date.now() > end) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
      }
    }
  }

  private goOn(): void {
    if (this.isWriting) return;
    if (this.bytes >= PIECE || this.isFlushing) this.writeNext();
    else this.timer ??= setTimeout(() => this.flush(), DELAY).unref();
  }

  private writeNext(): void {
    clearTimeout(this.timer);
    this.timer = this.pause = undefined;
    const head = this.next();
    this.isWriting = head !== undefined;
    if (head === undefined) this.emptied();
    else write(this.descriptor, head, (error, bytes) => this.wrote(error, bytes));
  }

  private wrote(error: Error | null, bytes: number): void {
    if (error !== null && mayPass(error)) {
      this.pause = setTimeout(() => this.writeNext(), PAUSE).unref();
      return;
    }
    if (error === null) this.took(bytes);
    else this.drop();
    this.isWriting = false;
    if (this.head !== undefined || this.isFlushing || this.bytes >= PIECE) this.writeNext();
    else if (this.bytes > 0) this.goOn();
  }

  private emptied(): void {
    this.isFlushing = false;
    this.waiting.splice(0).forEach((done) => done());
  }

  private next(): Buffer | undefined {
    if (this.head !== undefined) return this.head;
    const piece = this.pieces.shift();
    if (piece === undefined) return undefined;
    this.bytes -= piece.bytes;
    this.head = Buffer.from(piece.text);
    return this.head;
  }

  private took(bytes: number): void {
    const rest = this.head?.subarray(bytes);
    this.head = rest !== undefined && rest.length > 0 ? rest : undefined;
  }

  private drop(): void {
    this.head = undefined;
    this.pieces.length = 0;
    this.bytes = 0;
  }
}

/** Whether the reader only does not keep up. */
function mayPass(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return code === 'EAGAIN' || code === 'EBUSY';
}
