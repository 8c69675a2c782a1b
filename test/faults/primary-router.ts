import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.js';

/** Polling interval of the cluster, in milliseconds. */
const INTERVAL = 250;

/**
 * Behaves like the read-write port of MySQL Router: new connections go to the primary. Connections to a former primary
 * are closed. Without a primary, new connections are closed at once.
 */
export class PrimaryRouter {
  private readonly sockets = new Set<Socket>();
  private primary: number | undefined;
  private isStopping = false;

  private constructor(
    private readonly cluster: Cluster,
    private readonly server: Server,
  ) {}

  static async start(cluster: Cluster): Promise<PrimaryRouter> {
    const server = createServer();
    const router = new PrimaryRouter(cluster, server);
    await router.look();
    server.on('connection', (near: Socket) => router.lead(near));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    void router.watch();
    return router;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  stop(): void {
    this.isStopping = true;
    this.server.close();
    this.sockets.forEach((socket) => socket.destroy());
  }

  private async watch(): Promise<void> {
    while (!this.isStopping) {
      await this.look();
      await sleep(INTERVAL);
    }
  }

  private async look(): Promise<void> {
    const found = await this.cluster.primary();
    if (found?.port === this.primary) return;
    this.primary = found?.port;
    this.sockets.forEach((socket) => socket.destroy());
    this.sockets.clear();
  }

  private lead(near: Socket): void {
    if (this.primary === undefined) {
      near.destroy();
      return;
    }
    const far = connect(this.primary, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
