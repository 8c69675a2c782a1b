import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { TABLES } from '../../database/sql/tables.js';
import { Environment } from '../../config/environment.js';
import { ApiError } from '../../errors/api-error.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { findUnchangedEvents } from '../keys/unchanged-events.js';
import type { Line } from '../lines/line.js';
import { mayBeRecordLine, readRecordLine, type RecordLine } from '../lines/read-lines.js';
import { foreignLineError } from './foreign-line.js';
import type { ImportReferences } from '../keys/import-references.js';
import { type CheckedLines, EventImporter, type ImportResult } from './event-importer.js';
import { exportedKey } from '../lines/line-key.js';
import { NO_LOSSES, sumLosses } from '../lines/line-losses.js';
import { RecordImporter } from './record-importer.js';
import type { ParseThread } from './parse-thread.js';
import { errorAt, inOrder, type LineError, lineErrorsOf } from './line-error.js';

/** The options and the state that all batches of an import share. */
export interface ImportRun {
  readonly context: RequestContext;
  /** Checks without writing. */
  readonly dryRun: boolean;
  /** Whether ids in lines from API responses mean records of this calendar. */
  readonly idsAreOurs: boolean;
  readonly references: ImportReferences;
  /** Parses lines while others are written. */
  readonly thread?: ParseThread;
}

/** Lines that are imported together. */
export interface Batch {
  readonly lines: readonly Line[];
  /** The errors of lines that are rejected without further checks. */
  readonly rejected: readonly LineError[];
  /** The early checks of lines that do not depend on records in earlier lines. */
  readonly checked?: Promise<CheckedLines>;
}

/** Events to write in one transaction. */
interface Group {
  lines: Line[];
  /** The line keys of events that later lines may name as their parent, by slug in the file. */
  parents: Map<unknown, string>;
}

/** Imports lines of every kind: bodies of POST /events, and lines of `kalends export`. */
@Injectable()
export class BatchImporter {
  constructor(
    private readonly database: Database,
    private readonly environment: Environment,
    private readonly importer: EventImporter,
    private readonly records: RecordImporter,
  ) {}

  /** Starts the checks of a batch, if they can run while the previous batch is written. */
  begin(sent: readonly Line[], { context, idsAreOurs, thread }: ImportRun): Batch {
    const rejected: LineError[] = [];
    const lines = sent.filter((line) => {
      const error = line.fault === undefined ? undefined : { line: line.number, field: '', reason: line.fault };
      const found = error ?? (idsAreOurs ? undefined : foreignLineError(line));
      if (found !== undefined) rejected.push(found);
      return found === undefined;
    });
    if (lines.some(mayBeRecordLine)) return { lines, rejected };
    const checked = this.importer.check(lines, context, thread);
    // `run` reports the error. Without a handler, Node would end the process before.
    checked.catch(() => undefined);
    return { lines, rejected, checked };
  }

  /** Imports a batch. Writes consecutive events in one transaction. */
  async run({ lines, rejected: foreign, checked }: Batch, run: ImportRun): Promise<ImportResult> {
    const foreignResult = { ...NOTHING, rejectedLines: foreign.length, rejected: foreign };
    const result =
      checked === undefined
        ? await this.runMixed(lines, run)
        : await this.importer.write(await checked, run.context, run.dryRun);
    return summed([foreignResult, result]);
  }

  /** Imports lines of which some come from an export. */
  private async runMixed(lines: readonly Line[], run: ImportRun): Promise<ImportResult> {
    const results: ImportResult[] = [];
    let group = emptyGroup();
    const write = async () => {
      results.push(await this.writeGroup(group, run));
      group = emptyGroup();
    };
    const read = lines.map((line) => readRecordLine(line, this.environment.MAX_BODY_BYTES) ?? line);
    const events = read.filter((line) => 'record' in line).filter(({ record }) => record === 'event');
    const unchanged = await findUnchangedEvents(this.database, events, run.context.nowUtc);
    for (const line of read) {
      if (!('record' in line)) group.lines.push(line);
      else if (line.record === 'event') {
        // The parent must be stored before its children are checked.
        if (group.parents.has(line.values.parent_slug)) await write();
        const id = unchanged.get(line);
        results.push(id === undefined ? await this.addEvent(line, group, run) : skipEvent(line, id, run));
      } else results.push(await this.runRecord(line, run));
    }
    await write();
    return summed(results);
  }

  private async writeGroup(
    { lines, parents }: Group,
    { context, dryRun, references }: ImportRun,
  ): Promise<ImportResult> {
    if (lines.length === 0) return NOTHING;
    const result = await this.importer.run(lines, context, dryRun);
    for (const [slug, key] of parents) {
      const [row] = await this.database.query<{ event_id: number }>(
        `SELECT event_id FROM ${TABLES.importedLines} WHERE line_key = ?`,
        [key],
      );
      if (row !== undefined) references.set('event', slug, row.event_id);
    }
    return result;
  }

  /** Adds an event to the group. Its key is that of the original line, before references are replaced by ids. */
  private async addEvent(
    { line, values: original }: RecordLine,
    group: Group,
    { references, dryRun }: ImportRun,
  ): Promise<ImportResult> {
    const { parent_slug: parent, has_children: hasChildren, ...rest } = original;
    const key = exportedKey(original);
    const values = await references.resolve(rest);
    const parentId = references.find('event', parent);
    if (parent !== undefined && parentId === undefined && !dryRun) return missingReference(line, 'parent_slug', parent);
    if (hasChildren === true) group.parents.set(nameOf(original), key);
    const sent = parentId === undefined ? values : { ...values, post_parent: parentId };
    group.lines.push({ ...line, bytes: Buffer.from(JSON.stringify(sent)), original: line.bytes, key });
    return NOTHING;
  }

  private async runRecord(found: RecordLine, { context, dryRun, references }: ImportRun): Promise<ImportResult> {
    const { line, record, values: original } = found;
    if (!this.records.isKnown(record)) return missingReference(line, 'record', record);
    const known = await this.records.findKnown(record, original);
    const { parent_slug: parent, ...rest } = original;
    const parentId = parent === undefined ? undefined : references.find('category', parent);
    if (parent !== undefined && parentId === undefined && known === undefined && !dryRun)
      return missingReference(line, 'parent_slug', parent);
    try {
      const values = { ...(await references.resolve(rest)), ...(parentId === undefined ? {} : { parent: parentId }) };
      if (known === undefined && dryRun) {
        this.records.check(record, values);
        return NOTHING;
      }
      const { id, losses } =
        known === undefined
          ? await this.records.add(record, line.number, original, values, context)
          : { id: known, losses: NO_LOSSES };
      // Skips records in the trash, because events do not link them and another record may have their slug.
      if (original.status !== 'trash') references.set(record, original.slug, id);
      return { ...NOTHING, losses };
    } catch (error) {
      if (error instanceof ApiError) return rejection(lineErrorsOf(line, error, this.records.typeOf(record)));
      throw error;
    }
  }
}

/** Returns the slug by which children name the event. */
function nameOf({ slug, trash_slug: name = slug }: Record<string, unknown>): unknown {
  return name;
}

function skipEvent({ values }: RecordLine, id: number, { references }: ImportRun): ImportResult {
  if (values.has_children === true) references.set('event', nameOf(values), id);
  return { ...NOTHING, known: 1 };
}

const NOTHING: ImportResult = { added: 0, known: 0, rejectedLines: 0, rejected: [], losses: NO_LOSSES };

function emptyGroup(): Group {
  return { lines: [], parents: new Map() };
}

function missingReference(line: Line, field: string, value: unknown): ImportResult {
  return rejection([errorAt(line, field, `${field} refers to something that does not exist: ${String(value)}.`)]);
}

function rejection(errors: readonly LineError[]): ImportResult {
  return { ...NOTHING, rejectedLines: 1, rejected: errors };
}

function summed(results: readonly ImportResult[]): ImportResult {
  const sum = (member: 'added' | 'known' | 'rejectedLines') =>
    results.reduce((total, result) => total + result[member], 0);
  return {
    added: sum('added'),
    known: sum('known'),
    rejectedLines: sum('rejectedLines'),
    rejected: inOrder(results.flatMap(({ rejected: all }) => all)),
    losses: sumLosses(results.map(({ losses }) => losses)),
  };
}
