import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { guarded } from './guard.js';

/** Settings for the shared Redis server, with a unique key prefix. */
export const sharedRedis = () => ({
  REDIS_URL: process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379',
  REDIS_PREFIX: `kalends-test-${randomBytes(6).toString('hex')}:`,
});

/** A separate Redis server that a test can stop, freeze and kill. */
export class OwnRedis {
  private server: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly options: readonly string[],
  ) {}

  /** Chooses a free port. Does not start the server. */
  static async prepare(...options: string[]): Promise<OwnRedis> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    await new Promise((done) => probe.close(done));
    return new OwnRedis(port, options);
  }

  async start(): Promise<void> {
    const fixed = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.server = guarded(spawn('redis-server', [...fixed, ...this.options], { stdio: 'ignore' }));
    while (!(await this.accepts())) await sleep(50);
  }

  signal(signal: NodeJS.Signals): void {
    this.server?.kill(signal);
  }

  async kill(): Promise<void> {
    const { server } = this;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }

  private accepts(): Promise<boolean> {
    return new Promise((answer) => {
      const socket = createConnection(this.port, '127.0.0.1');
      socket.once('connect', () => answer(true)).once('error', () => answer(false));
      socket.once('connect', () => socket.destroy());
    });
  }
}
