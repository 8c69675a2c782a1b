import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ADMIN_TOKEN } from './instance.js';

const MOUNT = '/calendar/events/v1';
/** What a client sends at once before it becomes slow. */
const BEGINNINGS = {
  headers: `GET ${MOUNT}/events HTTP/1.1\r\nHost: localhost\r\nX-Slow: `,
  body: `POST ${MOUNT}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ADMIN_TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{"title":"`,
};
/** Time between two characters, in milliseconds. */
const INTERVAL = 1_000;

/** Connections that send a request character by character and never complete it. */
export class StallingClients {
  /** Lifetime of each closed connection, in milliseconds. */
  readonly lived: number[] = [];
  private readonly open = new Set<Socket>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly port: number,
    private readonly what: keyof typeof BEGINNINGS,
  ) {
    this.timer = setInterval(() => this.open.forEach((socket) => socket.write('x')), INTERVAL);
  }

  /** Opens the connections in batches, because the accept backlog of the server is short. */
  async start(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 100) {
      await Promise.all(Array.from({ length: Math.min(left, 100) }, () => this.begin()));
    }
  }

  /** Number of connections that are still open. */
  get count(): number {
    return this.open.size;
  }

  stop(): void {
    clearInterval(this.timer);
    this.open.forEach((socket) => socket.destroy());
  }

  private async begin(): Promise<void> {
    const socket = connect(this.port, '127.0.0.1');
    await once(socket, 'connect');
    const start = performance.now();
    this.open.add(socket);
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => {
      if (this.open.delete(socket)) this.lived.push(performance.now() - start);
    });
    socket.resume();
    socket.write(BEGINNINGS[this.what]);
  }
}
