import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { TABLES } from '../database/tables.js';
import { OperatorContext } from '../platform/auth/operator-context.js';
import { UsersService } from '../platform/auth/users.service.js';
import { batchesOf } from './import-file.js';
import { progressOf } from './import.progress.js';
import { ImportReferences } from './import-references.js';
import { type Batch, LineImporter } from './line-importer.js';
import type { Refusal } from './refusal.js';

/** What records an import can bring besides the events. */
const BROUGHT = ['venues', 'organizers', 'categories', 'tags'] as const;
type Counts = Record<(typeof BROUGHT)[number], number>;

/** `kalends import FILE`: reads the lines, shows the progress, reports what was refused. */
@Injectable()
export class ImportCommand {
  constructor(
    private readonly importer: LineImporter,
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly operator: OperatorContext,
  ) {}

  /** `path`: a file of JSON lines, or `-`. Answers how many lines were refused. */
  async run(path: string, dryRun: boolean): Promise<number> {
    const run = { context: await this.operator.read(), dryRun, references: new ImportReferences(this.users) };
    const before = await this.counts();
    const progress = progressOf(path, process.stderr);
    const sum = { added: 0, known: 0, refused: 0 };
    const refusals: Refusal[] = [];
    const write = async (batch: Batch, bytesRead: number) => {
      const result = await this.importer.run(batch, run);
      sum.added += result.added;
      sum.known += result.known;
      sum.refused += result.refusedLines;
      refusals.push(...result.refused);
      progress.update(bytesRead, sum.added + sum.known + sum.refused);
    };
    // The next batch is read and checked while the database writes this one.
    let writing = Promise.resolve();
    for await (const { lines, bytesRead } of batchesOf(path)) {
      const batch = this.importer.begin(lines, run);
      await writing;
      writing = write(batch, bytesRead);
      writing.catch(() => undefined);
    }
    await writing;
    progress.stop();
    refusals.forEach(({ line, field, reason }) =>
      process.stderr.write(`line ${line}: ${field === '' ? reason : `${field}: ${reason}`}\n`),
    );
    const unknown = [...run.references.unknownAuthors];
    if (unknown.length > 0) {
      process.stderr.write(`authors who are no users here, whose records you own now: ${unknown.join(', ')}\n`);
    }
    const verb = dryRun ? 'would be added' : 'added';
    process.stdout.write(`${sum.added} events ${verb}, ${sum.known} already there, ${sum.refused} lines refused\n`);
    if (!dryRun) process.stdout.write(`${brought(before, await this.counts())}\n`);
    return sum.refused;
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

function brought(before: Counts, after: Counts): string {
  return `new: ${BROUGHT.map((name) => `${after[name] - before[name]} ${name}`).join(', ')}`;
}
