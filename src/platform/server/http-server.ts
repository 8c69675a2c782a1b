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
import { ClientConnection, refuse } from './client-connection.js';
import { CorsPolicy } from './cors-policy.js';
import { Health } from './health.js';
import { type Handover, quiet, RelaySocket } from './relay-socket.js';
import { requestStart, senderIn } from './request-line.js';

/** What the server notes of a request before the stages see it. */
export interface ConnectionNotes {
  /** A response before it on its connection has said that it is the last: nobody would get another. */
  isCutOff?: boolean;
  /** Sends its body only when it is asked for it (`Expect: 100-continue`). */
  awaitsContinue?: boolean;
}

/** What Node says of a connection that it cannot go on with. */
interface ClientError extends Error {
  readonly code?: string;
  /** The packet in which the parser gave up, and at which byte of it. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

const CODES: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'rest_request_timeout',
  HPE_HEADER_OVERFLOW: 'rest_headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'rest_body_too_large',
};

/**
 * What happens below HTTP: requests that Node's parser refuses get the answer that the interface promises. Addresses in
 * raw UTF-8 (contract TXT-08) are such requests, too: they are escaped and given to the server once more. Others pay
 * nothing for them.
 */
@Injectable()
export class HttpServerEvents {
  private readonly connections = new Map<Duplex, ClientConnection>();
  /** How many are open. */
  private count = 0;
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
      if (!this.admits(socket)) return;
      this.connections.set(socket, new ClientConnection(socket));
      socket.once('close', () => this.connections.delete(socket));
    });
    // Before the application, which may answer at once.
    server.prependListener('request', (request: IncomingMessage & ConnectionNotes, response) =>
      this.begin(request, response),
    );
    // Node would close connections whose last answers are still on their way out.
    server.closeIdleConnections = () => this.closeIdle();
    server.on('clientError', (error: ClientError, socket) => void this.fail(server, error, socket));
    // Node would answer these by itself, without a body, or not at all.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    // Whether the client is to send its body is known further up (body.stage.ts).
    server.on('checkContinue', (request: IncomingMessage & ConnectionNotes, response) => {
      request.awaitsContinue = true;
      server.emit('request', request, response);
    });
    server.on('connect', (_request, socket: Duplex) => {
      // Node has taken its own listeners away by now, and whoever resets the connection must not stop the process.
      socket.on('error', () => undefined);
      void this.fail(server, new Error('CONNECT'), socket);
    });
  }

  /**
   * Whether there is room for a connection. Not by `maxConnections` of Node: its cluster hands what one worker refuses
   * to the next, round and round while all are full.
   */
  private admits(socket: Duplex): boolean {
    // What is relayed was admitted before.
    if (!(socket instanceof Socket)) return true;
    if (this.count >= this.environment.MAX_CONNECTIONS) {
      this.log.warn('a connection was refused: there are MAX_CONNECTIONS already');
      socket.destroy();
      return false;
    }
    this.count += 1;
    socket.once('close', () => (this.count -= 1));
    return true;
  }

  private begin(request: IncomingMessage & ConnectionNotes, response: ServerResponse): void {
    const connection = this.connections.get(request.socket);
    if (connection === undefined) return;
    request.isCutOff = !connection.begin({ request, response });
    const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
    response.writeHead = (...given: unknown[]) => {
      // What has begun is answered, and only the last answer ends the connection.
      if (this.health.isStopping && connection.isLast(response)) response.setHeader('Connection', 'close');
      return writeHead(...given);
    };
  }

  private closeIdle(): void {
    for (const [socket, { isIdle }] of this.connections) {
      if (isIdle) socket.destroy();
    }
  }

  private async fail(server: Server, error: ClientError, socket: Duplex): Promise<void> {
    const connection = this.connections.get(socket);
    // Each connection fails once; what its parser says later, it says of what others read now.
    if (connection === undefined) return;
    this.connections.delete(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const head = rawRequest(error, connection);
    const refusal = errorOf(error, connection);
    const bytes = bytesOf(error, connection);
    const handover = head === undefined ? undefined : takeOver(socket);
    if (handover === undefined) socket.pause();
    await connection.answered();
    if (handover !== undefined && head !== undefined) relay(server, socket, head, handover);
    else this.refuse(socket, connection, refusal, bytes);
  }

  /** `bytes`: of a request that has not begun, as far as they came. */
  private refuse(socket: Duplex, { unfinished }: ClientConnection, error: ApiError, bytes: Buffer): void {
    const { response } = unfinished ?? {};
    const headers = response?.getHeaders() ?? this.cors.answer(senderIn(bytes));
    const requestId = headers['x-request-id'] ?? randomUUID();
    const { remoteAddress } = socket as Socket;
    this.log.info({ requestId, remoteAddress, status: error.status, code: error.code }, 'refused');
    // Half an answer cannot be taken back.
    if (response?.headersSent === true) socket.destroy();
    else refuse(socket, error, { ...this.commonHeaders(), 'x-request-id': requestId, ...headers });
  }

  /** What every answer carries (contract 5.1), as far as it can be known without a request. */
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

/** The bytes of a request whose address is not ASCII, from its method on; undefined where something else is wrong. */
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
  return socket instanceof Socket ? quiet(socket) : undefined;
}

/** Begins the connection anew, with the request that its parser did not take. */
function relay(server: Server, socket: Duplex, head: Buffer, handover: Handover): void {
  const { socket: plain, waiting } = handover;
  handover.stop();
  if (socket !== plain) socket.destroy();
  if (plain.writable) server.emit('connection', new RelaySocket(plain, Buffer.concat([head, ...waiting])));
  else plain.destroy();
}

/** The latest packet, and what stands before it of the same line. */
function bytesOf({ rawPacket }: ClientError, { tail }: ClientConnection): Buffer {
  return Buffer.concat([tail, rawPacket].filter((part) => part !== undefined));
}

function errorOf(error: ClientError, connection: ClientConnection): ApiError {
  const { code = '', rawPacket, bytesParsed } = error;
  const known = CODES[code] ?? 'rest_bad_request';
  if (known !== 'rest_headers_too_large' || rawPacket === undefined || bytesParsed === undefined)
    return apiError(known);
  // Where it ends the parser was still in the address, whose method stands before it.
  const bytes = bytesOf(error, connection);
  const start = requestStart(bytes, bytes.length - rawPacket.length + bytesParsed - 1);
  const isLine = start === 0 || (start !== undefined && bytes[start - 1] === 0x0a);
  return apiError(isLine ? 'rest_uri_too_long' : known);
}

/** Bytes of request line and headers. An address of 8,192 bytes has its place, also when each byte becomes three. */
const MOST_HEADER_BYTES = 32 * 1024;

/** How long the server waits for clients, in milliseconds; which are too slow is looked up every second. */
export function serverOptions(environment: Environment): ServerOptions {
  return {
    maxHeaderSize: MOST_HEADER_BYTES,
    // Node takes none above that of the whole request.
    headersTimeout: Math.min(environment.HEADERS_TIMEOUT, environment.REQUEST_TIMEOUT) * 1000,
    requestTimeout: environment.REQUEST_TIMEOUT * 1000,
    keepAliveTimeout: environment.KEEP_ALIVE_TIMEOUT * 1000,
    // Without it a request is refused further up, as the interface says (url.stage.ts).
    requireHostHeader: false,
    connectionsCheckingInterval: 1000,
  };
}
