import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { TABLES } from '../../database/sql/tables.js';
import { Environment } from '../../config/environment.js';
import { ApiError } from '../../errors/api-error.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { eventsAlike } from '../keys/unchanged-events.js';
import { type Line, maybeRecord, readRecordLine, type RecordLine } from '../lines/read-lines.js';
import { foreignRefusal } from './foreign-line.js';
import type { ImportReferences } from '../keys/import-references.js';
import { type CheckedLines, EventImporter, type ImportResult } from './event-importer.js';
import { exportedKey } from '../lines/line-key.js';
import { added, NO_LOSSES } from '../lines/line-losses.js';
import { RecordImporter } from './record-importer.js';
import { type LineError, refusalsOf } from './line-error.js';

/** What all batches of a run have in common. */
export interface ImportRun {
  readonly context: RequestContext;
  /** Only the checks. */
  readonly dryRun: boolean;
  /** Ids in answers of a calendar mean records of this one. */
  readonly idsAreOurs: boolean;
  readonly references: ImportReferences;
}

/** Lines that are imported together. */
export interface Batch {
  readonly lines: readonly Line[];
  /** Lines besides, which are not looked at any further. */
  readonly refused: readonly LineError[];
  /** Of lines that need nothing which lines before them bring: they are checked ahead. */
  readonly checked?: Promise<CheckedLines>;
}

/** Events to be written together. */
interface Group {
  lines: Line[];
  /** Those that further lines may name as their parent: what the file calls them to key. */
  parents: Map<unknown, string>;
}

/** Imports lines of every kind: bodies of POST /events, and what `kalends export` has written. */
@Injectable()
export class BatchImporter {
  constructor(
    private readonly database: Database,
    private readonly environment: Environment,
    private readonly importer: EventImporter,
    private readonly records: RecordImporter,
  ) {}

  /** Begins with the checks of a batch, if they may run while the batch before it is written. */
  begin(sent: readonly Line[], { context, idsAreOurs }: ImportRun): Batch {
    const refused = idsAreOurs ? [] : sent.flatMap((line) => foreignRefusal(line) ?? []);
    const lines = sent.filter(({ number }) => !refused.some(({ line }) => line === number));
    if (lines.some(maybeRecord)) return { lines, refused };
    const checked = this.importer.check(lines, context);
    // Whoever imports the batch is told.
    checked.catch(() => undefined);
    return { lines, refused, checked };
  }

  /** Imports a batch; events that follow each other in one transaction. */
  async run({ lines, refused: foreign, checked }: Batch, run: ImportRun): Promise<ImportResult> {
    const refusedFirst = { ...NOTHING, refusedLines: foreign.length, refused: foreign };
    const result =
      checked === undefined
        ? await this.runMixed(lines, run)
        : await this.importer.write(await checked, run.context, run.dryRun);
    return summed([refusedFirst, result]);
  }

  /** Lines among which are some of an export. */
  private async runMixed(lines: readonly Line[], run: ImportRun): Promise<ImportResult> {
    const results: ImportResult[] = [];
    let group = emptyGroup();
    const write = async () => {
      results.push(await this.writeGroup(group, run));
      group = emptyGroup();
    };
    const read = lines.map((line) => readRecordLine(line, this.environment.MAX_BODY_BYTES) ?? line);
    const events = read.filter((line) => 'record' in line).filter(({ record }) => record === 'event');
    const alike = await eventsAlike(this.database, events, run.context.nowUtc);
    for (const line of read) {
      if (!('record' in line)) group.lines.push(line);
      else if (line.record === 'event') {
        // A parent must be there before its children are looked at.
        if (group.parents.has(line.values.parent_slug)) await write();
        const id = alike.get(line);
        results.push(id === undefined ? await this.addEvent(line, group, run) : keepEvent(line, id, run));
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

  /** Puts the event into the group, known by its line as it is in the file. */
  private async addEvent(
    { line, values: original }: RecordLine,
    group: Group,
    { references, dryRun }: ImportRun,
  ): Promise<ImportResult> {
    const { parent_slug: parent, has_children: hasChildren, ...rest } = original;
    const key = exportedKey(original);
    const values = await references.resolved(rest);
    const parentId = references.find('event', parent);
    if (parent !== undefined && parentId === undefined && !dryRun) return refused(line, 'parent_slug', parent);
    if (hasChildren === true) group.parents.set(nameOf(original), key);
    const sent = parentId === undefined ? values : { ...values, post_parent: parentId };
    group.lines.push({ number: line.number, bytes: Buffer.from(JSON.stringify(sent)), key });
    return NOTHING;
  }

  private async runRecord(found: RecordLine, { context, dryRun, references }: ImportRun): Promise<ImportResult> {
    const { line, record, values: original } = found;
    if (!this.records.isKnown(record)) return refused(line, 'record', record);
    const known = await this.records.findKnown(record, original);
    const { parent_slug: parent, ...rest } = original;
    const parentId = parent === undefined ? undefined : references.find('category', parent);
    if (parent !== undefined && parentId === undefined && known === undefined && !dryRun)
      return refused(line, 'parent_slug', parent);
    try {
      const values = { ...(await references.resolved(rest)), ...(parentId === undefined ? {} : { parent: parentId }) };
      if (known === undefined && dryRun) {
        this.records.check(record, values);
        return NOTHING;
      }
      const { id, losses } =
        known === undefined
          ? await this.records.add(record, line.number, original, values, context)
          : { id: known, losses: NO_LOSSES };
      // A record in the trash is not linked to, and its slug may be another one's.
      if (original.status !== 'trash') references.set(record, original.slug, id);
      return { ...NOTHING, losses };
    } catch (error) {
      if (error instanceof ApiError) return refusal(refusalsOf(line.number, error));
      throw error;
    }
  }
}

/** What children name the event by. */
function nameOf({ slug, trash_slug: name = slug }: Record<string, unknown>): unknown {
  return name;
}

function keepEvent({ values }: RecordLine, id: number, { references }: ImportRun): ImportResult {
  if (values.has_children === true) references.set('event', nameOf(values), id);
  return { ...NOTHING, known: 1 };
}

const NOTHING: ImportResult = { added: 0, known: 0, refusedLines: 0, refused: [], losses: NO_LOSSES };

function emptyGroup(): Group {
  return { lines: [], parents: new Map() };
}

function refused({ number: line }: Line, field: string, value: unknown): ImportResult {
  const reason = `${field} refers to something that does not exist: ${String(value)}.`;
  return refusal([{ line, field, reason }]);
}

function refusal(refusals: readonly LineError[]): ImportResult {
  return { ...NOTHING, refusedLines: 1, refused: refusals };
}

function summed(results: readonly ImportResult[]): ImportResult {
  const sum = (member: 'added' | 'known' | 'refusedLines') =>
    results.reduce((total, result) => total + result[member], 0);
  return {
    added: sum('added'),
    known: sum('known'),
    refusedLines: sum('refusedLines'),
    refused: results.flatMap(({ refused: all }) => all),
    losses: added(results.map(({ losses }) => losses)),
  };
}
