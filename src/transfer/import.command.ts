import { statSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { Database } from '../database/database.js';
import { TABLES } from '../database/sql/tables.js';
import { counted } from '../kernel/text/counted.js';
import { UsersService } from '../platform/auth/users.service.js';
import { CommandContext } from '../platform/http/command-context.js';
import { type Batch, BatchImporter, type ImportRun } from './batch/batch-importer.js';
import { ParseThread } from './batch/parse-thread.js';
import { ImportReport } from './batch/import-report.js';
import { ImportReferences } from './keys/import-references.js';
import { batchesOf, mustLookLikeJson } from './lines/read-lines.js';

/** The options of the command. */
export interface ImportOptions {
  /** Checks without writing. */
  readonly dryRun?: boolean;
  /** Accepts lines from API responses. Their ids mean records of this calendar. */
  readonly idsAreOurs?: boolean;
}

/** The records that an import can create besides events. */
const COUNTED = { venues: 'venue', organizers: 'organizer', categories: 'category', tags: 'tag' } as const;
type Counts = Record<keyof typeof COUNTED, number>;

/** `kalends import FILE`: imports the lines, shows the progress, and prints why lines were rejected. */
@Injectable()
export class ImportCommand {
  constructor(
    private readonly importer: BatchImporter,
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly operator: CommandContext,
    private readonly environment: Environment,
  ) {}

  /** `path`: a file of JSON lines, or `-`. Returns the number of rejected lines. */
  async run(path: string, { dryRun = false, idsAreOurs = false }: ImportOptions): Promise<number> {
    const context = await this.operator.read();
    const thread = new ParseThread(this.environment.MAX_BODY_BYTES);
    try {
      return await this.importFile(path, {
        context,
        dryRun,
        idsAreOurs,
        references: new ImportReferences(this.users),
        thread,
      });
    } finally {
      await thread.close();
    }
  }

  private async importFile(path: string, run: ImportRun): Promise<number> {
    const before = await this.counts();
    const progress = await progressOf(path, process.stderr);
    const report = new ImportReport();
    const write = async (batch: Batch, bytesRead: number) => {
      const messages = report.add(await this.importer.run(batch, run));
      if (messages.length > 0) progress.print(messages);
      progress.update(bytesRead, report.lines);
    };
    // Reads and checks the next batch while the database writes this one.
    let writing = Promise.resolve();
    let isFirstBatch = true;
    for await (const { lines, bytesRead } of batchesOf(path, this.environment.MAX_BODY_BYTES)) {
      if (isFirstBatch) mustLookLikeJson(path, lines);
      isFirstBatch = false;
      const batch = this.importer.begin(lines, run);
      await writing;
      writing = write(batch, bytesRead);
      writing.catch(() => undefined);
    }
    await writing;
    progress.stop();
    const unknown = [...run.references.unknownAuthors];
    const messages = [
      ...report.losses(),
      ...(unknown.length > 0
        ? [`authors who are no users here, whose records you own now: ${unknown.join(', ')}`]
        : []),
    ];
    process.stderr.write(messages.map((text) => `${text}\n`).join(''));
    process.stdout.write(`${report.summary(run.dryRun)}\n`);
    if (!run.dryRun) process.stdout.write(`${newRecords(before, await this.counts())}\n`);
    return report.rejected;
  }

  private async counts(): Promise<Counts> {
    const of = (table: string, where = '1 = 1') => `(SELECT count(*) FROM ${table} WHERE ${where})`;
    const [row] = await this.database.query<Counts>(
      `SELECT ${of(TABLES.venues)} AS venues, ${of(TABLES.organizers)} AS organizers,
       ${of(TABLES.terms, "taxonomy = 'tribe_events_cat'")} AS categories, ${of(TABLES.terms, "taxonomy = 'post_tag'")} AS tags`,
    );
    return row as Counts;
  }
}

function newRecords(before: Counts, after: Counts): string {
  const texts = Object.entries(COUNTED).map(([name, noun]) => {
    const plural = name as keyof Counts;
    return counted(after[plural] - before[plural], noun, plural);
  });
  return `new: ${texts.join(', ')}`;
}

/** Shows the progress: a bar on a terminal, otherwise a line every `INTERVAL_MS`. */
interface Progress {
  update(bytesRead: number, lines: number): void;
  /** Prints messages above the bar. */
  print(messages: readonly string[]): void;
  stop(): void;
}

const INTERVAL_MS = 5_000;

async function progressOf(path: string, stream: NodeJS.WriteStream): Promise<Progress> {
  const size = path === '-' ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return stream.isTTY ? bar(size, stream) : plainLines(size, stream);
}

async function bar(size: number, stream: NodeJS.WriteStream): Promise<Progress> {
  // Here, so that a server does not load it.
  const { SingleBar } = await import('cli-progress');
  const line = new SingleBar({ format: '{bar} {percentage} % | {lines} lines | {duration_formatted}', stream });
  line.start(size, 0, { lines: 0 });
  return {
    update: (bytes, lines) => line.update(bytes, { lines }),
    // Overwrites the bar. The next update draws it again below.
    print: (texts) => stream.write(texts.map((text) => `\r\u001b[K${text}\n`).join('')),
    stop: () => line.stop(),
  };
}

function plainLines(size: number, stream: NodeJS.WriteStream): Progress {
  let last = Date.now();
  return {
    update(bytes, lines) {
      if (Date.now() - last < INTERVAL_MS) return;
      last = Date.now();
      const share = size > 0 ? ` (${Math.floor((100 * bytes) / size)} %)` : '';
      stream.write(`${counted(lines, 'line')}${share}\n`);
    },
    print: (texts) => stream.write(texts.map((text) => `${text}\n`).join('')),
    stop: () => undefined,
  };
}
