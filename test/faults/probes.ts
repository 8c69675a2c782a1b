import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN_TOKEN } from './instance.js';
import type { Target } from './exchange.js';

const PATIENCE = 10_000;

/** What one address answered meanwhile. */
export interface Probed {
  readonly count: number;
  /** Answers other than 200, and none. */
  readonly failed: number;
  /** Milliseconds, of which 99 in 100 took no more. */
  readonly p99: number;
  readonly p50: number;
}

/** Asks for one address at a steady rate, one request after the other on a connection of its own. */
export class Probes {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly took: number[] = [];
  private failed = 0;
  private isStopping = false;
  private readonly asking: Promise<void>;

  constructor(
    private readonly target: Target,
    private readonly path: string,
    private readonly perSecond: number,
  ) {
    this.asking = this.ask();
  }

  async stop(): Promise<Probed> {
    this.isStopping = true;
    await this.asking;
    this.agent.destroy();
    this.took.sort((one, other) => one - other);
    const quantile = (part: number) => Math.round(this.took[Math.floor(this.took.length * part)] ?? 0);
    return { count: this.took.length, failed: this.failed, p99: quantile(0.99), p50: quantile(0.5) };
  }

  private async ask(): Promise<void> {
    while (!this.isStopping) {
      const start = performance.now();
      if ((await this.once()) !== 200) this.failed += 1;
      const took = performance.now() - start;
      this.took.push(took);
      await sleep(Math.max(0, 1_000 / this.perSecond - took));
    }
  }

  /** The status; 0: no answer. */
  private once(): Promise<number> {
    const { port } = this.target;
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    return new Promise((done) => {
      const asked = get({ host: '127.0.0.1', port, path: this.path, headers, agent: this.agent }, (answer) => {
        answer.resume();
        answer.on('end', () => done(answer.statusCode ?? 0));
        answer.on('error', () => done(0));
      });
      asked.setTimeout(PATIENCE, () => asked.destroy());
      asked.on('error', () => done(0));
    });
  }
}
