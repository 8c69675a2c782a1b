import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { Problems } from '../../errors/problems.js';
import { EventDto } from '../../events/event.dto.js';
import type { Line } from '../lines/line.js';
import type { ParsedLine } from './parsed-line.js';

/** undefined: the caller must parse the line itself. */
type ParsedLines = readonly (ParsedLine | undefined)[];

/**
 * A thread that parses lines while the main thread checks and writes those before. It takes a second to load, so it starts with
 * the second batch: an import of a few lines does without. If it ends too early, that only costs time.
 */
export class ParseThread {
  private calls = 0;
  private worker: Worker | undefined;
  private isReady = false;
  /** The callers whose lines the thread has, in order. */
  private readonly waiting: ((lines: ParsedLines) => void)[] = [];

  constructor(private readonly maxBytes: number) {}

  /** Returns none while the thread is not there. */
  async parse(lines: readonly Line[]): Promise<ParsedLines> {
    this.calls += 1;
    if (this.calls === 2) this.worker = this.start();
    if (!this.isReady) return [];
    const copied = await new Promise<ParsedLines>((resolve) => {
      this.waiting.push(resolve);
      this.worker?.postMessage(lines);
    });
    return copied.map((line) => line && withClasses(line));
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    // The built file, also where the sources run: a thread loads no TypeScript.
    const worker = new Worker(createRequire(import.meta.url).resolve('#parse-worker'), {
      workerData: this.maxBytes,
      // Options such as --input-type are for the main thread only.
      execArgv: [],
    });
    worker.on('message', (message: 'ready' | ParsedLines) => {
      if (message === 'ready') this.isReady = true;
      else this.waiting.shift()?.(message);
    });
    // The main thread meets an error of a line, too, and reports it.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      this.isReady = false;
      for (const resolve of this.waiting.splice(0)) resolve([]);
    });
    return worker;
  }
}

function withClasses({ dto, problems, ...line }: ParsedLine): ParsedLine {
  return { ...line, dto: Object.assign(new EventDto(), dto), problems: Problems.from(problems) };
}
