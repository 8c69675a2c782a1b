import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiError } from '../../errors/api-error.js';
import { mayBreakLine } from './request-line.js';

/** A request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Longer request lines exceed the header limit of the HTTP server, in bytes. */
const MAX_TAIL_BYTES = 32 * 1024;

/** Tracks the requests and last bytes of a connection, for errors of its HTTP parser. */
export class ClientConnection {
  /** Bytes before the latest packet that may belong to the same request line. */
  tail: Buffer | undefined;
  private readonly open = new Set<Exchange>();
  /** The latest request, even if its response is sent. */
  private latest: Exchange | undefined;
  /** Whether bytes of a next request have arrived, or the first request is still to come. */
  private expectsRequest = true;

  /** The HTTP parser of the socket must be attached already, so that it handles each packet first. */
  constructor(socket: Duplex) {
    socket.on('data', (packet: Buffer) => {
      this.expectsRequest = true;
      const joined = this.tail === undefined ? packet : Buffer.concat([this.tail, packet]);
      // A copy, because a slice would keep the whole packet in memory.
      this.tail = mayBreakLine(packet) ? Buffer.from(joined.subarray(-MAX_TAIL_BYTES)) : undefined;
    });
    socket.once('close', () => this.closePending());
  }

  /**
   * Registers a request. Returns false if an earlier response closes the connection, so that this one cannot be sent.
   */
  begin(exchange: Exchange): boolean {
    if (this.all.some(({ response }) => endsConnection(response))) return false;
    this.open.add(exchange);
    this.latest = exchange;
    exchange.response.once('close', () => {
      this.open.delete(exchange);
      this.expectsRequest = false;
    });
    return true;
  }

  /** Whether no later request has begun. */
  isLast(response: ServerResponse): boolean {
    return this.latest?.response === response;
  }

  /** Whether all requests are answered and no further bytes have arrived. */
  get isIdle(): boolean {
    return this.open.size === 0 && !this.expectsRequest;
  }

  /** The request whose body is incomplete. */
  get unfinished(): Exchange | undefined {
    return this.all.find(({ request }) => !request.complete);
  }

  /**
   * Closes pipelined responses that have no socket yet. Node would not tell them that the connection is closed, so
   * their reservations would never be released.
   */
  private closePending(): void {
    for (const { response } of [...this.open]) {
      if (response.socket !== null || response.destroyed) continue;
      response.destroy();
      response.emit('close');
    }
  }

  private get all(): Exchange[] {
    return this.latest === undefined ? [] : [...this.open, this.latest];
  }

  /** Waits until all complete requests are answered, because responses must keep the order of requests. */
  async answered(): Promise<void> {
    const complete = [...this.open].filter(({ request }) => request.complete);
    await Promise.all(complete.map(({ response }) => new Promise((done) => response.once('close', done))));
  }
}

/** Whether a response has announced that the connection closes. */
function endsConnection(response: ServerResponse): boolean {
  return response.headersSent && (!response.shouldKeepAlive || response.getHeader('Connection') === 'close');
}

/** The connection stays open for this time, because a reset could discard the response before the client reads it. */
const LINGER_MS = 1000;

/** Writes an error to the socket directly, because the HTTP parser has failed, and closes it. */
export function sendRawError(socket: Duplex, error: ApiError, headers: OutgoingHttpHeaders): void {
  // The client may reset the connection at any moment.
  socket.on('error', () => undefined);
  socket.removeAllListeners('data');
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(rawResponse(error, headers));
  socket.on('data', () => undefined).resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer));
}

function rawResponse(error: ApiError, headers: OutgoingHttpHeaders): string {
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
  return [`HTTP/1.1 ${error.getStatus()} ${STATUS_CODES[error.getStatus()]}`, ...lines, '', body].join('\r\n');
}
