import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { LineEscaper } from './request-line.js';

/** Events that the previous reader of a connection listened to. */
const READER_EVENTS = ['data', 'end', 'error', 'timeout'];

/** A connection while it passes from one reader to the next. */
export interface Handover {
  readonly socket: Socket;
  /** Received packets that the previous reader has not handled, in order. */
  readonly waiting: Buffer[];
  /** Stops collecting packets, because the next reader takes over. */
  stop(): void;
}

/**
 * Wraps a connection and percent-encodes its next request line, because the HTTP parser accepts only ASCII. The stream
 * begins with `head`, which was read before.
 */
export class RelaySocket extends Duplex {
  private readonly escaper = new LineEscaper();
  private isDetached = false;
  private reported = 0;

  constructor(
    private readonly socket: Socket,
    head: Buffer,
  ) {
    super({ allowHalfOpen: true });
    this.push(this.escaper.escape(head));
    socket.on('data', (bytes: Buffer) => {
      if (!this.push(this.escaper.escape(bytes))) socket.pause();
    });
    if (socket.readableEnded) this.push(null);
    else socket.on('end', () => this.push(null));
    socket.on('timeout', () => this.emit('timeout'));
    socket.on('error', (error) => this.destroy(error));
    socket.once('close', this.onClose);
  }

  private readonly onClose = () => this.destroy();

  get remoteAddress(): string | undefined {
    return this.socket.remoteAddress;
  }

  setTimeout(milliseconds: number): this {
    this.socket.setTimeout(milliseconds);
    return this;
  }

  /** Returns how many bytes percent-encoding has added since the last call. */
  takeAddedBytes(): number {
    const added = this.escaper.added - this.reported;
    this.reported = this.escaper.added;
    return added;
  }

  /** Stops reading and returns the connection. Pending responses are still written until this is destroyed. */
  detach(): Handover {
    this.isDetached = true;
    this.socket.off('close', this.onClose);
    const handover = detachReaders(this.socket);
    // Collects packets that this stream has buffered while the parser was paused.
    this.removeAllListeners('data').removeAllListeners('end').pause();
    for (let bytes = this.read() as Buffer | null; bytes !== null; bytes = this.read() as Buffer | null) {
      handover.waiting.push(bytes);
    }
    return handover;
  }

  /** The HTTP server calls this after the last response. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override _read(): void {
    if (!this.isDetached) this.socket.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // After a handover the next reader needs the socket, unless the last response has closed it.
    if (!this.isDetached || this.writableFinished) this.socket.destroy();
    done(error);
  }
}

/** Detaches all readers of a connection and collects what it receives. */
export function detachReaders(socket: Socket): Handover {
  socket.pause();
  for (const event of READER_EVENTS) socket.removeAllListeners(event);
  // An error needs no handling, because `close` follows.
  socket.on('error', () => undefined);
  socket.setTimeout(0);
  const waiting: Buffer[] = [];
  // Node resumes the socket after a response or an unread body, so each packet pauses it again.
  const collect = (bytes: Buffer) => {
    waiting.push(bytes);
    socket.pause();
  };
  socket.on('data', collect);
  return { socket, waiting, stop: () => socket.off('data', collect) };
}
