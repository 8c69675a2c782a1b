import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { LineEscaper } from './request-line.js';

/** Events of a connection that its first reader listened to; the new one takes them over. */
const TAKEN_OVER = ['data', 'end', 'error', 'timeout'];

/** A connection between two readers. */
export interface Handover {
  readonly socket: Socket;
  /** What came behind that which its last reader took, in order. */
  readonly waiting: Buffer[];
  /** Ends the waiting: what comes now is for the next reader. */
  stop(): void;
}

/**
 * A connection whose next request line is percent-encoded on its way to the HTTP parser, which takes no other: it begins
 * with `head`, which was read before, and goes on with what the client sends.
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

  /** How many bytes escaping has added to the address of the latest request; told once. */
  takeAddedBytes(): number {
    const added = this.escaper.added - this.reported;
    this.reported = this.escaper.added;
    return added;
  }

  /** Gives the connection back, quiet. Answers on their way still pass, until this is destroyed. */
  detach(): Handover {
    this.isDetached = true;
    this.socket.off('close', this.onClose);
    const handover = quiet(this.socket);
    // While answers wait the parser is given nothing, so packets may wait here for it.
    this.removeAllListeners('data').removeAllListeners('end').pause();
    for (let bytes = this.read() as Buffer | null; bytes !== null; bytes = this.read() as Buffer | null) {
      handover.waiting.push(bytes);
    }
    return handover;
  }

  /** What the HTTP server calls behind the last answer. */
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
    // What has ended by itself was not to go on.
    if (!this.isDetached || this.writableFinished) this.socket.destroy();
    done(error);
  }
}

/** Stops a connection from handing anything to those who read it so far. */
export function quiet(socket: Socket): Handover {
  socket.pause();
  for (const event of TAKEN_OVER) socket.removeAllListeners(event);
  // Whoever goes away now has gone away: `close` follows.
  socket.on('error', () => undefined);
  socket.setTimeout(0);
  const waiting: Buffer[] = [];
  // What its last requests leave behind makes it flow once more: when an answer is out, or a body that nobody read.
  const keep = (bytes: Buffer) => {
    waiting.push(bytes);
    socket.pause();
  };
  socket.on('data', keep);
  return { socket, waiting, stop: () => socket.off('data', keep) };
}
