import { join } from 'node:path';
import { ADMIN_TOKEN } from '../faults/instance.js';
import { folderFor, Process, until } from '../faults/processes.js';
import { freePort } from '../support/free-port.js';

/** A port on which instances of different versions run, one after the other. */
export class Place {
  private instance: Process | undefined;

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly env: Record<string, string>,
  ) {}

  static async of(settings: Record<string, string>): Promise<Place> {
    const port = await freePort();
    const { PATH = '' } = process.env;
    const own = { PATH, LOG_LEVEL: 'warn', HOST: '127.0.0.1', PORT: String(port), KALENDS_ADMIN_TOKEN: ADMIN_TOKEN };
    return new Place(port, folderFor('place'), { ...own, ...settings });
  }

  /** Stops the running instance, starts another version and waits until it is ready. */
  async serve(dist: string): Promise<void> {
    await this.stop();
    const command = [process.execPath, join(dist, 'main.js')];
    const started = new Process(join(this.folder, 'log'), command, { cwd: this.folder, env: this.env });
    this.instance = started;
    started.start();
    await until('the instance is ready', async () => {
      if (!started.isRunning) throw new Error(`the instance ended: ${started.lastWords()}`);
      const answer = await fetch(`http://127.0.0.1:${this.port}/health/ready`).catch(() => undefined);
      await answer?.arrayBuffer();
      return answer?.status === 200;
    });
  }

  async stop(): Promise<void> {
    await this.instance?.end('SIGTERM');
  }
}
