import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { until } from './until.js';

/** A message as a receiver got it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as sent. */
  readonly text: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: {
      readonly type: string;
      readonly id: number;
      readonly rest_url?: string;
      readonly position: number;
    } & {
      readonly record?: Record<string, unknown>;
      readonly record_omitted?: true;
    };
  };
  /** By `performance.now()`. */
  readonly at: number;
}

/** The settings with which a service sends to receivers of this machine. */
export const TO_RECEIVERS = { WEBHOOK_HTTP: 'on', WEBHOOK_NETWORKS: '127.0.0.0/8' };

/** A receiver of webhooks on this machine. */
export class Receiver {
  readonly received: Received[] = [];
  /** The number of connections so far. */
  accepted = 0;
  private readonly sockets = new Set<Socket>();
  /** Answers a message that has been received. */
  answer: (response: Parameters<RequestListener>[1], message: Received) => void = (response) => void response.end();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.accepted += 1;
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
    });
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const body = JSON.parse(text) as Received['body'];
        const message = { path: request.url ?? '', headers: request.headers, text, body, at: performance.now() };
        this.received.push(message);
        this.answer(response, message);
      });
    });
  }

  static async listen(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hooks`;
  }

  /** The types and records of the messages: `event.created 12`. */
  get told(): string[] {
    return this.received.map(({ body }) => `${body.type} ${body.data.id}`);
  }

  get connections(): number {
    return this.sockets.size;
  }

  /** Waits until so many messages have come, and returns them. */
  async wait(count: number, patience = 20_000): Promise<Received[]> {
    await until(() => this.received.length >= count, patience).catch(() => undefined);
    return this.received;
  }

  /** Ends all connections. */
  disconnect(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.disconnect();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
