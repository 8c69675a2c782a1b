import { join } from 'node:path';
import { freePort } from '../support/free-port.js';
import { folderFor, Process, until } from './processes.js';

export const ADMIN_TOKEN = 'faults-administrator-token-0123456789';

/** The root of the project. The compiled file lies five folders below it. */
export const ROOT = join(import.meta.dirname, '..', '..', '..', '..', '..');

/** The built service in its own process, on a port that stays the same after restarts. */
export class Instance {
  private constructor(
    readonly port: number,
    private readonly server: Process,
  ) {}

  /** Starts an instance, and waits until it is ready unless `waits` is false. */
  static async start(settings: Record<string, string>, waits = true): Promise<Instance> {
    const port = await freePort();
    const { PATH = '', INDEX } = process.env;
    const cwd = folderFor('kalends');
    const env = {
      PATH,
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      PORT: String(port),
      KALENDS_ADMIN_TOKEN: ADMIN_TOKEN,
      // INDEX=off runs the scenarios without the index of events.
      ...(INDEX === undefined ? {} : { INDEX }),
      ...settings,
    };
    const command = [process.execPath, join(ROOT, 'dist', 'main.js')];
    const instance = new Instance(port, new Process(join(cwd, 'log'), command, { cwd, env }));
    instance.launch();
    if (waits) await instance.ready();
    return instance;
  }

  get isRunning(): boolean {
    return this.server.isRunning;
  }

  launch(): void {
    this.server.start();
  }

  /** Waits for readiness and returns the time it took, in milliseconds. */
  ready(): Promise<number> {
    return until('an instance is ready', async () => {
      if (!this.isRunning) throw new Error(`an instance ended: ${this.server.lastWords()}`);
      return (await this.health('ready')) === 200;
    });
  }

  /** Returns the status of a health check, or 0 without a response. */
  health(check: 'live' | 'ready'): Promise<number> {
    return fetch(`http://127.0.0.1:${this.port}/health/${check}`).then(
      async (answer) => (await answer.arrayBuffer(), answer.status),
      () => 0,
    );
  }

  kill(): Promise<void> {
    return this.server.end('SIGKILL');
  }

  /** Stops the instance with SIGTERM, as an orchestrator does, and returns the time it took, in milliseconds. */
  async stop(): Promise<number> {
    const start = performance.now();
    await this.server.end('SIGTERM');
    return performance.now() - start;
  }
}
