import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerOptions, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { Mounts } from '../../config/mounts.js';
import { type ApiError, apiError } from '../../errors/api-error.js';
import type { ErrorCode } from '../../errors/error-catalogue.js';
import { Log } from '../observability/log.js';
import { ClientConnection, sendRawError } from './client-connection.js';
import { CorsPolicy } from './cors-policy.js';
import { Health } from './health.js';
import { type Handover, detachReaders, RelaySocket } from './relay-socket.js';
import { requestStart, senderIn } from './request-line.js';

/** What the HTTP server adds to a request before the pipeline. */
export interface ConnectionState {
  /** An earlier response closes the connection, so this request must not be handled. */
  isCutOff?: boolean;
  /** The client waits for 100 Continue before it sends the body (`Expect: 100-continue`). */
  awaitsContinue?: boolean;
}

/** The error of a connection that Node's parser cannot continue. */
interface ClientError extends Error {
  readonly code?: string;
  /** The packet in which the parser failed. `bytesParsed`: the position in it. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

const ERROR_CODES: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'rest_request_timeout',
  HPE_HEADER_OVERFLOW: 'rest_headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'rest_body_too_large',
};

/**
 * Handles events of the HTTP server. Requests that Node's parser rejects get the errors of the contract. The parser
 * also rejects URLs of raw UTF-8 (contract TXT-08): these are percent-encoded and passed to the server again, so that
 * only such requests cost time.
 */
@Injectable()
export class HttpServerEvents {
  private readonly connections = new Map<Duplex, ClientConnection>();
  /** Open connections. */
  private openConnections = 0;
  private readonly cors: CorsPolicy;

  constructor(
    private readonly environment: Environment,
    private readonly health: Health,
    private readonly log: Log,
  ) {
    this.cors = new CorsPolicy(environment.CORS_ORIGINS);
  }

  attach(server: Server): void {
    server.on('connection', (socket: Duplex) => {
      if (!this.countConnection(socket)) return;
      this.connections.set(socket, new ClientConnection(socket));
      socket.once('close', () => this.connections.delete(socket));
    });
    // Before the listener of the application, which may respond immediately.
    server.prependListener('request', (request: IncomingMessage & ConnectionState, response) =>
      this.beginRequest(request, response),
    );
    // Replaced, because Node's version closes connections whose last responses are not fully sent.
    server.closeIdleConnections = () => this.closeIdle();
    server.on('clientError', (error: ClientError, socket) => void this.onParserError(server, error, socket));
    // Node would answer 417 without a body.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    // The body stage decides whether the client shall send the body (body.stage.ts).
    server.on('checkContinue', (request: IncomingMessage & ConnectionState, response) => {
      request.awaitsContinue = true;
      server.emit('request', request, response);
    });
    server.on('connect', (_request, socket: Duplex) => {
      // Node has removed its own listeners, and without one a connection reset would end the process.
      socket.on('error', () => undefined);
      void this.onParserError(server, new Error('CONNECT'), socket);
    });
  }

  /**
   * Whether MAX_CONNECTIONS allows another connection. Node's `maxConnections` is unsuitable: its cluster passes a
   * rejected connection to the next worker, endlessly while all are full.
   */
  private countConnection(socket: Duplex): boolean {
    // A relayed connection was counted before.
    if (!(socket instanceof Socket)) return true;
    if (this.openConnections >= this.environment.MAX_CONNECTIONS) {
      this.log.warn('a connection was refused: there are MAX_CONNECTIONS already');
      socket.destroy();
      return false;
    }
    this.openConnections += 1;
    socket.once('close', () => (this.openConnections -= 1));
    return true;
  }

  private beginRequest(request: IncomingMessage & ConnectionState, response: ServerResponse): void {
    const connection = this.connections.get(request.socket);
    if (connection === undefined) return;
    request.isCutOff = !connection.begin({ request, response });
    const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
    response.writeHead = (...given: unknown[]) => {
      // At a shutdown all pipelined requests are answered, and only the last response closes the connection.
      if (this.health.isStopping && connection.isLast(response)) response.setHeader('Connection', 'close');
      return writeHead(...given);
    };
  }

  private closeIdle(): void {
    for (const [socket, { isIdle }] of this.connections) {
      if (isIdle) socket.destroy();
    }
  }

  private async onParserError(server: Server, error: ClientError, socket: Duplex): Promise<void> {
    const connection = this.connections.get(socket);
    // Ignores later errors of the old parser: the connection was handed over or closed.
    if (connection === undefined) return;
    this.connections.delete(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const head = rawRequest(error, connection);
    const rejection = errorOf(error, connection);
    const bytes = bytesOf(error, connection);
    const handover = head === undefined ? undefined : takeOver(socket);
    if (handover === undefined) socket.pause();
    await connection.answered();
    if (handover !== undefined && head !== undefined) relay(server, socket, head, handover);
    else this.reject(socket, connection, rejection, bytes);
  }

  /** `bytes`: the bytes of the rejected request that have arrived. */
  private reject(socket: Duplex, { unfinished }: ClientConnection, error: ApiError, bytes: Buffer): void {
    const { response } = unfinished ?? {};
    const headers = response?.getHeaders() ?? this.cors.responseHeaders(senderIn(bytes));
    const requestId = headers['x-request-id'] ?? randomUUID();
    const { remoteAddress } = socket as Socket;
    this.log.info({ requestId, remoteAddress, status: error.getStatus(), code: error.code }, 'refused');
    // A partly sent response cannot be replaced.
    if (response?.headersSent === true) socket.destroy();
    else sendRawError(socket, error, { ...this.commonHeaders(), 'x-request-id': requestId, ...headers });
  }

  /** Returns the headers of every response (contract 5.1), as far as they do not depend on a request. */
  private commonHeaders(): OutgoingHttpHeaders {
    const { PUBLIC_URL } = this.environment;
    return {
      'x-content-type-options': 'nosniff',
      'x-tec-api-version': 'v1',
      'x-tec-api-root': `${PUBLIC_URL ?? 'http://localhost'}${new Mounts(this.environment).canonical}/`,
      vary: this.cors.variesByOrigin ? 'Authorization, Origin' : 'Authorization',
    };
  }
}

/** Returns the bytes of a request whose URL is not ASCII, from the method on, or undefined for another error. */
function rawRequest(error: ClientError, connection: ClientConnection): Buffer | undefined {
  const { code, rawPacket, bytesParsed } = error;
  if (code !== 'HPE_INVALID_URL' || rawPacket === undefined || bytesParsed === undefined) return undefined;
  if ((rawPacket[bytesParsed] ?? 0) < 0x80) return undefined;
  const bytes = bytesOf(error, connection);
  const start = requestStart(bytes, bytes.length - rawPacket.length + bytesParsed);
  return start === undefined ? undefined : bytes.subarray(start);
}

function takeOver(socket: Duplex): Handover | undefined {
  if (socket instanceof RelaySocket) return socket.detach();
  return socket instanceof Socket ? detachReaders(socket) : undefined;
}

/** Attaches a new parser to the connection, beginning with the request that the old one rejected. */
function relay(server: Server, socket: Duplex, head: Buffer, handover: Handover): void {
  const { socket: plain, waiting } = handover;
  handover.stop();
  if (socket !== plain) socket.destroy();
  if (plain.writable) server.emit('connection', new RelaySocket(plain, Buffer.concat([head, ...waiting])));
  else plain.destroy();
}

/** Returns the latest packet and the bytes before it that may belong to the same line. */
function bytesOf({ rawPacket }: ClientError, { tail }: ClientConnection): Buffer {
  return Buffer.concat([tail, rawPacket].filter((part) => part !== undefined));
}

function errorOf(error: ClientError, connection: ClientConnection): ApiError {
  const { code = '', rawPacket, bytesParsed } = error;
  const known = ERROR_CODES[code] ?? 'rest_bad_request';
  if (known !== 'rest_headers_too_large' || rawPacket === undefined || bytesParsed === undefined)
    return apiError(known);
  // If a method precedes the last space, the parser was still in the request line.
  const bytes = bytesOf(error, connection);
  const start = requestStart(bytes, bytes.length - rawPacket.length + bytesParsed - 1);
  const isLine = start === 0 || (start !== undefined && bytes[start - 1] === 0x0a);
  return apiError(isLine ? 'rest_uri_too_long' : known);
}

/** Bytes of request line and headers. Enough for a URL of 8,192 bytes, each percent-encoded as three. */
const MAX_HEADER_BYTES = 32 * 1024;

/** Returns the header limit and timeouts (ms) of the HTTP server, which checks them every second. */
export function serverOptions(environment: Environment): ServerOptions {
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node rejects a value above `requestTimeout`.
    headersTimeout: Math.min(environment.HEADERS_TIMEOUT, environment.REQUEST_TIMEOUT) * 1000,
    requestTimeout: environment.REQUEST_TIMEOUT * 1000,
    keepAliveTimeout: environment.KEEP_ALIVE_TIMEOUT * 1000,
    // The URL stage rejects requests without Host, with an error of the contract (url.stage.ts).
    requireHostHeader: false,
    connectionsCheckingInterval: 1000,
  };
}
