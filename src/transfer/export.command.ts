import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { OperatorError } from '../errors/operator-error.js';
import { counted } from '../kernel/text/counted.js';
import type { RecordName } from './lines/export-line.js';
import { Exporter } from './lines/exporter.js';

/** `kalends export [FILE]`: writes the lines, and prints their number on standard error. */
@Injectable()
export class ExportCommand {
  constructor(private readonly exporter: Exporter) {}

  /** `path`: `-` is standard output. The file appears when complete. Only its owner may read it: it contains drafts. */
  async run(path: string): Promise<void> {
    const counts = path === '-' ? await this.write(process.stdout) : await this.writeFile(path);
    const texts = Object.entries(counts).map(([name, count]) => counted(count, name, PLURALS[name as RecordName]));
    process.stderr.write(`${texts.join(', ')} exported\n`);
  }

  private async writeFile(path: string): Promise<Counts> {
    const unfinished = `${path}.${process.pid}.part`;
    const file = createWriteStream(unfinished, { mode: 0o600, flags: 'wx' });
    try {
      const counts = await this.write(file);
      file.end();
      await finished(file);
      await rename(unfinished, path);
      return counts;
    } catch (error) {
      file.destroy();
      await rm(unfinished, { force: true });
      throw new OperatorError(`The export was not written to ${path}: ${(error as Error).message}`);
    }
  }

  private async write(stream: NodeJS.WritableStream): Promise<Counts> {
    const counts: Counts = { category: 0, tag: 0, venue: 0, organizer: 0, event: 0 };
    const ended = new AbortController();
    const failed = once(stream, 'error', { signal: ended.signal }).then(([error]) => {
      throw error as Error;
    });
    const written = this.exporter.run(
      async (lines) => {
        for (const { record } of lines) counts[record] += 1;
        const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
        // Waits for slow readers, so that at most one page is in memory.
        if (!stream.write(text)) await Promise.race([once(stream, 'drain'), failed]);
      },
      (note) => process.stderr.write(`${note}\n`),
    );
    try {
      await Promise.race([written, failed]);
    } finally {
      ended.abort();
      await failed.catch(() => undefined);
    }
    return counts;
  }
}

type Counts = Record<RecordName, number>;

const PLURALS: Record<RecordName, string> = {
  category: 'categories',
  tag: 'tags',
  venue: 'venues',
  organizer: 'organizers',
  event: 'events',
};
