import { join } from 'node:path';
import { freePort } from '../support/free-port.js';
import { folderFor, Process, until } from './processes.js';

export const ADMIN_TOKEN = 'faults-administrator-token-0123456789';

/** Where the sources are: compiled, this file lies five folders deeper. */
export const ROOT = join(import.meta.dirname, '..', '..', '..', '..', '..');

/** The built service, in a process of its own, on a port that stays the same over restarts. */
export class Instance {
  private constructor(
    readonly port: number,
    private readonly server: Process,
  ) {}

  /** Starts an instance; it is ready unless told not to wait. */
  static async start(settings: Record<string, string>, waits = true): Promise<Instance> {
    const port = await freePort();
    const { PATH = '' } = process.env;
    const cwd = folderFor('kalends');
    const env = {
      PATH,
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      PORT: String(port),
      KALENDS_ADMIN_TOKEN: ADMIN_TOKEN,
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

  /** Waits for readiness; answers how many milliseconds it took. */
  ready(): Promise<number> {
    return until('an instance is ready', async () => {
      if (!this.isRunning) throw new Error(`an instance ended: ${this.server.lastWords()}`);
      return (await this.health('ready')) === 200;
    });
  }

  /** The status of a health check; 0: no answer. */
  health(check: 'live' | 'ready'): Promise<number> {
    return fetch(`http://127.0.0.1:${this.port}/health/${check}`).then(
      async (answer) => (await answer.arrayBuffer(), answer.status),
      () => 0,
    );
  }

  kill(): Promise<void> {
    return this.server.end('SIGKILL');
  }

  /** As an orchestrator ends it; answers how many milliseconds it took. */
  async stop(): Promise<number> {
    const start = performance.now();
    await this.server.end('SIGTERM');
    return performance.now() - start;
  }
}
