import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { waitForStep } from '../../config/timeout.js';
import type { ReadCache } from '../../database/cache/read-cache.js';
import { withDeadline } from '../../database/connection/deadline.js';
import { Database } from '../../database/database.js';
import { TABLES } from '../../database/sql/tables.js';
import { loggedError } from '../../errors/logged-error.js';
import { allOf, isOneOf } from '../../kernel/sql-condition.js';
import type { SearchQuery } from '../../kernel/text/search-query.js';
import { Log } from '../../platform/observability/log.js';
import { containsWords } from '../filter/filter.js';
import { EventSet } from './event-set.js';
import { findEvents, type Sought, soughtBy } from './find-events.js';
import { type IndexProgress, readIndexState, readProgress } from './index-state.js';
import { updateIndex } from './indexer.js';
import { KnownWords } from './known-words.js';

/** With more texts to compare a search scans the list: its page is soon full, and the ids would make a long statement. */
const MAX_COMPARED = 10_000;
/** From this number of changes after the index, a search starts an update of the index. */
const MIN_CHANGES_TO_UPDATE = 500;
/** How often a server looks whether the index is too old. */
const PERIOD_MS = 60_000;
/** The pause after a failed update, so that searches do not repeat it at once. */
const RETRY_DELAY_MS = 60_000;

/** Stands in the cache for a search that the index does not answer until the next commit. */
const NO_ANSWER = { reason: 'the index has no answer' };

/** Uses the search index. A search that finds the index too old starts its update, and so does a server from time to time. */
@Injectable()
export class EventSearch implements BeforeApplicationShutdown {
  private isStopping = false;
  private work: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private words: KnownWords;

  constructor(
    private readonly database: Database,
    private readonly environment: Environment,
    private readonly log: Log,
  ) {
    this.words = new KnownWords(database);
  }

  /** Returns exactly the events whose texts match a search. undefined: the index does not know them. */
  async find(sql: ReadCache, query: SearchQuery | undefined): Promise<EventSet | undefined> {
    if (query === undefined || this.environment.SEARCH_INDEX_FROM === 0) return undefined;
    const sought = soughtBy(query);
    if (sought === undefined) return undefined;
    const key = `search ${JSON.stringify(query)}`;
    const cached = sql.entries.get(key) as EventSet | typeof NO_ANSWER | undefined;
    const found = cached ?? (await this.search(sql, query, sought));
    if (cached === undefined && found !== undefined) sql.store(key, found, found instanceof EventSet ? found.bytes : 0);
    return found instanceof EventSet ? found : undefined;
  }

  /** Updates the index, if it is enabled. After an error, calls do nothing for `RETRY_DELAY_MS`. */
  async updateIndex(): Promise<void> {
    // Without the deadline of the request that starts it.
    this.work ??= withDeadline(Infinity, () => this.runUpdate());
    await this.work;
  }

  /** Starts to keep the index up to date while nobody searches. Otherwise the next search would have to read all texts. */
  startUpdates(): void {
    if (this.isStopping) return;
    this.timer = setInterval(() => void this.updateIfOld(), PERIOD_MS).unref();
  }

  /** Updates the index if it lacks many changes, or goes on building it. Does not begin an index. */
  async updateIfOld(): Promise<void> {
    const read = () => readProgress(this.database);
    // A later call tries again.
    const progress = await this.database.withDeadlineFor('read', read).catch(() => undefined);
    if (progress?.seq === undefined) return;
    const { version, seq, nextBlock } = progress;
    if (nextBlock !== undefined || version - seq >= MIN_CHANGES_TO_UPDATE) await this.updateIndex();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await waitForStep(this.work);
  }

  /** Returns undefined if the index may soon have an answer. */
  private async search(
    sql: ReadCache,
    query: SearchQuery,
    sought: Sought,
  ): Promise<EventSet | typeof NO_ANSWER | undefined> {
    // Reads changes before words. A change that the index takes over in between is then in both, not in neither.
    const state = await readIndexState(sql);
    if (!this.isEnabled(state)) return NO_ANSWER;
    const { changed } = state;
    if (changed === undefined || changed.length >= MIN_CHANGES_TO_UPDATE) void this.updateIndex();
    if (changed === undefined) return undefined;
    const { words } = this;
    const dictionary = await words.at(state);
    if (dictionary === undefined) {
      // The index was begun again in between. A later search reads all words again.
      if (this.words === words) this.words = new KnownWords(this.database);
      return undefined;
    }
    const found = await findEvents(sql, dictionary, sought, EventSet.of(changed));
    if (found === undefined || found.uncertain.size > MAX_COMPARED) return NO_ANSWER;
    return found.certain.or(EventSet.of(await this.matching(sql, found.uncertain.ids(), query)));
  }

  /** Returns those of the events whose texts match. */
  private async matching(sql: ReadCache, ids: readonly number[], query: SearchQuery): Promise<number[]> {
    if (ids.length === 0) return [];
    const where = allOf([isOneOf('e.id', ids), containsWords(query)]);
    const rows = await sql.scans.query<{ id: number }>(
      `SELECT e.id FROM ${TABLES.events} e${this.database.dialect.byId} WHERE ${where.sql}`,
      where.params,
    );
    return rows.map(({ id }) => id);
  }

  private async runUpdate(): Promise<void> {
    try {
      if (this.isEnabled(await readProgress(this.database))) await updateIndex(this.database, () => !this.isStopping);
      this.work = undefined;
    } catch (error) {
      this.log.warn({ error: loggedError(error), msg: 'the search index was not brought up to date' });
      setTimeout(() => (this.work = undefined), RETRY_DELAY_MS).unref();
    }
  }

  private isEnabled({ seq, lastId }: IndexProgress): boolean {
    const { SEARCH_INDEX_FROM: from } = this.environment;
    return from > 0 && (seq !== undefined || lastId >= from);
  }
}
