import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { recordsFor } from '../../database/cache/read-cache.js';
import type { RecordCache } from '../../database/cache/record-cache.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { can } from '../../kernel/caller.js';
import { isSameList } from '../../kernel/same-list.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { mayRead, type PostRights } from '../../kernel/visibility.js';
import { WeightedCache, weightOf } from '../../kernel/weighted-cache.js';
import type { StillHolds } from '../../platform/http/reply.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { JsonText } from '../../platform/http/responses/json-text.js';
import type { CountedTerms } from '../../terms/term.counts.js';
import { presentTerm } from '../../terms/term.presenter.js';
import { type TermRecord, type UncountedTerm } from '../../terms/term.query.js';
import {
  byName,
  byTermName,
  LINKED,
  LINKED_NAMES,
  type LinkedRecords,
  TERM_NAMES,
  TERMS,
} from '../event.link-kinds.js';
import { type EventView, presentEvent } from '../event.presenter.js';
import { type EventReadRow, idsOf } from '../event.query.js';
import { EventLinks, latestChange, sortedByName } from '../event.reader.js';
import { EventMembers } from '../hooks/member.js';
import { IndexedCounts } from '../index/indexed-counts.js';
import { filledText, type Fragment, isCurrent, partsOf, type Source, spanWithoutMoment } from './fragment.js';

/** An event in a response, ready to be sent. */
interface EventText {
  readonly json: JsonText;
  readonly modifiedUtc: UtcTime;
  readonly mark: TextMark;
}

/** Tells one text of an event from all others, without keeping it in memory. */
interface TextMark {
  readonly eventId: number;
  readonly key: string;
  readonly serial: number;
}

/** The events of a response. */
interface EventTexts {
  readonly texts: readonly EventText[];
  /** Whether the texts of the same events are the same. */
  readonly stillHold: StillHolds;
}

/** What a request presents events with. */
interface Reading {
  readonly records: RecordCache;
  readonly counts: CountedTerms;
  readonly context: RequestContext;
}

/** The JSON of events, kept across commits until a record in it changes. */
@Injectable()
export class EventFragments {
  private readonly fragments: WeightedCache<Fragment>;
  private serials = 0;
  private readonly termTexts = new WeakMap<object, { readonly root: string; readonly count: number; text: string }>();

  constructor(
    private readonly links: EventLinks,
    private readonly members: EventMembers,
    private readonly counts: IndexedCounts,
    environment: Environment,
  ) {
    this.fragments = new WeightedCache(environment.CACHE_ENTRIES);
  }

  /**
   * Returns the events as their JSON. undefined: they must be presented as objects, because the request shows members of modules
   * or selects members, because its caller may see more than others, or because records do not stay cached across commits.
   */
  async texts(
    sql: Sql,
    rows: readonly EventReadRow[],
    viewOf: (row: EventReadRow) => EventView,
    context: RequestContext,
  ): Promise<EventTexts | undefined> {
    const reading = await this.readingFor(sql, context);
    if (reading === undefined) return undefined;
    const isMissing = (row: EventReadRow) => this.textOf(row, viewOf(row), reading) === undefined;
    const missing = rows.filter(isMissing);
    // Caches the linked records that are missing.
    if (missing.length > 0) await this.links.load(sql, missing, context);
    const texts = rows.map((row) => this.textOf(row, viewOf(row), reading));
    if (!texts.every((text) => text !== undefined)) return undefined;
    return {
      texts,
      stillHold: this.watch(
        reading.records,
        texts.map(({ mark }) => mark),
      ),
    };
  }

  /** A cached reply refers to what this returns. So it must not refer to an index, nor to what a request has read. */
  private watch(records: RecordCache, marks: readonly TextMark[]): StillHolds {
    return (nowUtc) => {
      const counts = this.counts.countsAt(nowUtc);
      if (counts === undefined) return false;
      return marks.every(({ eventId, key, serial }) => {
        const fragment = this.fragments.get(key);
        if (fragment?.serial !== serial || fragment.row !== records.get(TABLES.events, eventId)) return false;
        return isCurrent(fragment, records, nowUtc) && isSameList(fragment.counts, countsIn(fragment, counts));
      });
    };
  }

  private async readingFor(sql: Sql, context: RequestContext): Promise<Reading | undefined> {
    const records = recordsFor(sql, TABLES.events);
    if (records === undefined || !this.members.isEmpty) return undefined;
    if (context.fields.length > 0 || can(context.caller, 'edit_posts')) return undefined;
    const counts = await this.counts.countsFor(sql);
    return counts && { records, counts, context };
  }

  /** Returns an event from records that are all cached. undefined: one is not. */
  private textOf(row: EventReadRow, view: EventView, reading: Reading): EventText | undefined {
    const { records, context } = reading;
    const key = `${row.id} ${view} ${context.urls.apiRoot}`;
    const kept = this.fragments.get(key);
    const fragment =
      kept?.row === row && isCurrent(kept, records, context.nowUtc) ? kept : this.make(key, row, view, reading);
    if (fragment === undefined) return undefined;
    const counts = countsIn(fragment, reading.counts);
    if (!isSameList(fragment.counts, counts)) {
      fragment.text = filledText(fragment.parts, (id) => this.termText(id, reading));
      fragment.counts = counts;
      fragment.serial = this.nextSerial();
    }
    const { text, modifiedUtc, serial } = fragment;
    return { json: new JsonText(text), modifiedUtc, mark: { eventId: row.id, key, serial } };
  }

  private nextSerial(): number {
    this.serials += 1;
    return this.serials;
  }

  private make(key: string, row: EventReadRow, view: EventView, reading: Reading): Fragment | undefined {
    const { records, context } = reading;
    const sources = sourcesOf(row, records);
    if (sources === undefined) return undefined;
    const linked = linkedIn(sources, reading);
    const body = presentEvent(row, linked, context, view);
    const holes = byTermName((name) => ({ termIds: linked[name].map(({ id }) => id) }));
    const parts = partsOf(body, view === 'blanked' ? {} : holes);
    const posts = sources.filter(({ table }) => table !== TABLES.terms).map(({ record }) => record as PostRights);
    const fragment: Fragment = {
      row,
      sources,
      ...spanWithoutMoment(
        [row, ...posts].map((post) => post?.public_from ?? null),
        context.nowUtc,
      ),
      parts,
      modifiedUtc: latestChange(row, linked),
      text: filledText(parts, (id) => this.termText(id, reading)),
      serial: this.nextSerial(),
      counts: [],
    };
    fragment.counts = countsIn(fragment, reading.counts);
    // Parts and text.
    this.fragments.set(key, fragment, weightOf(1, 2 * fragment.text.length));
    return fragment;
  }

  private termText(id: number, { records, counts, context }: Reading): string {
    const row = records.get(TABLES.terms, id) as UncountedTerm;
    const [root, count] = [context.urls.apiRoot, counts.countOf(id)];
    const kept = this.termTexts.get(row);
    if (kept?.root === root && kept.count === count) return kept.text;
    const text = JSON.stringify(presentTerm(recordOf(row, count), context.urls));
    this.termTexts.set(row, { root, count, text });
    return text;
  }
}

/** Returns the numbers of public events of the terms in a fragment, in the order of its parts. */
function countsIn({ parts }: Fragment, counts: Pick<CountedTerms, 'countOf'>): number[] {
  const ids = parts.flatMap((part) => (typeof part === 'string' ? [] : part.termIds));
  return ids.map((id) => counts.countOf(id));
}

/** Returns all records that the row of an event names. undefined: one is not cached. */
function sourcesOf(row: EventReadRow, records: RecordCache): Source[] | undefined {
  const sources: Source[] = [];
  const add = (table: string, id: number) => {
    const record = records.get(table, id);
    if (record !== undefined) sources.push({ table, id, record });
    return record !== undefined;
  };
  for (const name of LINKED_NAMES)
    if (!idsOf(row[`${name}_ids`]).every((id) => add(LINKED[name].kind.table, id))) return undefined;
  return idsOf(row.term_ids).every((id) => add(TABLES.terms, id)) ? sources : undefined;
}

/** Returns the records that the caller sees in the event. */
function linkedIn(sources: readonly Source[], { counts, context }: Reading): LinkedRecords {
  const recordsIn = (wanted: string) =>
    sources.flatMap(({ table, record }) => (table === wanted && record !== null ? [record] : []));
  const isShown = (post: PostRights) => mayRead(post, context.caller, context.nowUtc) && post.status !== 'trash';
  const posts = byName((name) => (recordsIn(LINKED[name].kind.table) as PostRights[]).filter(isShown));
  const terms = sortedByName(
    (recordsIn(TABLES.terms) as UncountedTerm[]).map((row) => recordOf(row, counts.countOf(row.id))),
  );
  return {
    posts: posts as unknown as LinkedRecords['posts'],
    ...byTermName((name) => terms.filter(({ kind }) => kind === TERMS[name])),
  };
}

function recordOf({ taxonomy, ...row }: UncountedTerm, count: number): TermRecord {
  const kind = TERM_NAMES.map((name) => TERMS[name]).find((one) => one.taxonomy === taxonomy)!;
  return { ...row, kind, event_count: count };
}
