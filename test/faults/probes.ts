import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN_TOKEN } from './instance.js';
import type { Target } from './exchange.js';

const PATIENCE = 10_000;

/** The results of the requests for one URL. */
export interface Probed {
  readonly count: number;
  /** Number of requests with a status other than 200, or without a response. */
  readonly failed: number;
  /** 99th percentile of the response time, in milliseconds. */
  readonly p99: number;
  readonly p50: number;
}

/** Requests one URL at a steady rate, one request after the other on its own connection. */
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

  /** Returns the status, or 0 without a response. */
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
