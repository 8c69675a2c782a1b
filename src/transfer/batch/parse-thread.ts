import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { Problems } from '../../errors/problems.js';
import { EventDto } from '../../events/event.dto.js';
import { fieldsOf } from '../../platform/http/fields/field-metadata.js';
import type { Line } from '../lines/line.js';
import type { ParsedLine } from './parsed-line.js';

/** The result of the thread for a line without problems: it can be copied between threads, unlike errors. */
export type SentLine = Omit<ParsedLine, 'problems'>;

/** undefined: the line has problems. */
export type SentLines = readonly (SentLine | undefined)[];

interface Waiting {
  readonly resolve: (lines: SentLines) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread that parses lines while the main thread checks and writes those before. It takes a second to load, so it starts with
 * the second batch: an import of a few lines does without.
 */
export class ParseThread {
  private calls = 0;
  private worker: Worker | undefined;
  private isReady = false;
  private failure: Error | undefined;
  private readonly waiting: Waiting[] = [];

  constructor(private readonly maxBytes: number) {}

  /** Returns the parsed lines, with undefined for each that the caller must parse itself. */
  async parse(lines: readonly Line[]): Promise<(ParsedLine | undefined)[]> {
    this.calls += 1;
    if (this.calls === 2) this.worker = this.start();
    if (this.failure !== undefined) throw this.failure;
    if (!this.isReady) return [];
    const sent = await new Promise<SentLines>((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.worker?.postMessage(lines);
    });
    return sent.map(
      (line) => line && { ...line, dto: Object.assign(new EventDto(), line.dto), problems: noProblems() },
    );
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
    worker.on('message', (message: 'ready' | SentLines) => {
      if (message === 'ready') this.isReady = true;
      else this.waiting.shift()?.resolve(message);
    });
    worker.on('error', (error: unknown) => {
      this.failure = error as Error;
      for (const { reject } of this.waiting.splice(0)) reject(this.failure);
    });
    return worker;
  }
}

function noProblems(): Problems {
  return new Problems(FIELDS);
}

const FIELDS = fieldsOf(EventDto).map(({ name }) => name);
