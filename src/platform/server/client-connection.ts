import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiError } from '../../errors/api-error.js';
import { mayBreakLine } from './request-line.js';

/** A request whose answer is not out yet. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** More of an address is not accepted anyway (limits.ts). */
const MOST_TAIL = 32 * 1024;

/** What must be known of a connection when its parser gives up. */
export class ClientConnection {
  /** What came before the latest packet and may belong to an address that goes on in it. */
  tail: Buffer | undefined;
  private readonly open = new Set<Exchange>();
  /** The latest request that has begun, answered or not. */
  private latest: Exchange | undefined;
  /** Whether something has come, or may come at any moment, behind the requests that are answered. */
  private isAsking = true;

  /** `socket` is read already: its parser has had each packet before this sees it. */
  constructor(socket: Duplex) {
    socket.on('data', (packet: Buffer) => {
      this.isAsking = true;
      const joined = this.tail === undefined ? packet : Buffer.concat([this.tail, packet]);
      // A copy, since a part of it would hold all of it in memory.
      this.tail = mayBreakLine(packet) ? Buffer.from(joined.subarray(-MOST_TAIL)) : undefined;
    });
    socket.once('close', () => this.abandon());
  }

  /** Takes a request on; `false`: nobody would get its answer, since one before it ends the connection. */
  begin(exchange: Exchange): boolean {
    if (this.all.some(({ response }) => endsConnection(response))) return false;
    this.open.add(exchange);
    this.latest = exchange;
    exchange.response.once('close', () => {
      this.open.delete(exchange);
      this.isAsking = false;
    });
    return true;
  }

  /** Whether no request has begun behind the one of this answer. */
  isLast(response: ServerResponse): boolean {
    return this.latest?.response === response;
  }

  /** Whether all that began is answered, and nothing has come since. */
  get isIdle(): boolean {
    return this.open.size === 0 && !this.isAsking;
  }

  /** The request that has begun and whose body has not come to its end. */
  get unfinished(): Exchange | undefined {
    return this.all.find(({ request }) => !request.complete);
  }

  /**
   * Closes the answers whose turn on the connection has not come. Node gives them no socket before, so that they would not
   * learn that theirs is gone: what they hold would never be given back.
   */
  private abandon(): void {
    for (const { response } of [...this.open]) {
      if (response.socket !== null || response.destroyed) continue;
      response.destroy();
      response.emit('close');
    }
  }

  private get all(): Exchange[] {
    return this.latest === undefined ? [] : [...this.open, this.latest];
  }

  /** Waits until all complete requests are answered: answers go out in the order of requests. */
  async answered(): Promise<void> {
    const complete = [...this.open].filter(({ request }) => request.complete);
    await Promise.all(complete.map(({ response }) => new Promise((done) => response.once('close', done))));
  }
}

/** Whether an answer has told the client that it is the last. */
function endsConnection(response: ServerResponse): boolean {
  return response.headersSent && (!response.shouldKeepAlive || response.getHeader('Connection') === 'close');
}

/** A client that is still sending when the connection closes is reset, and may never see its answer. */
const LINGER_MILLISECONDS = 1000;

/** Sends an error past the HTTP server, which has given up this connection, and closes it. */
export function refuse(socket: Duplex, error: ApiError, headers: OutgoingHttpHeaders): void {
  // The client may reset the connection at any moment.
  socket.on('error', () => undefined);
  socket.removeAllListeners('data');
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(answer(error, headers));
  socket.on('data', () => undefined).resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
  socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer));
}

function answer(error: ApiError, headers: OutgoingHttpHeaders): string {
  const body = JSON.stringify(error.toBody());
  const all: OutgoingHttpHeaders = {
    ...headers,
    'content-type': 'application/json; charset=UTF-8',
    'cache-control': 'private, no-store',
    ...error.extras.headers,
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${String(value)}`);
  return [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, '', body].join('\r\n');
}
