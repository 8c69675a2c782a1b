import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { type ReadCache, cachedValue } from '../../database/cache/read-cache.js';
import { withDeadline } from '../../database/connection/deadline.js';
import { gramsToLookUp } from './grams.js';
import { Environment } from '../../config/environment.js';
import { loggedError } from '../../errors/logged-error.js';
import { waitForStep } from '../../config/timeout.js';
import { Log } from '../../platform/observability/log.js';
import { readCandidates, readIndexState, type SearchIndexState } from './candidates.js';
import type { EventFilter } from '../filter/filter.js';
import { indexEvents } from './indexer.js';

/** With more candidates a search scans the list: its page is soon full, and the ids would make a long statement. */
const MAX_CANDIDATES = 10_000;
/** From this number of changes after the index, a search starts an update of the index. */
const MIN_CHANGES_TO_UPDATE = 500;
/** The pause after a failed update, so that searches do not repeat it at once. */
const RETRY_DELAY_MS = 60_000;

/**
 * Uses the search index. It returns candidate ids: all matches and some others. The query compares the texts. A search
 * that finds the index too old starts its update.
 */
@Injectable()
export class EventSearch implements BeforeApplicationShutdown {
  private isStopping = false;
  private work: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly environment: Environment,
    private readonly log: Log,
  ) {}

  /** Returns the filter with candidates, or unchanged if the index does not help. */
  async withCandidates(sql: ReadCache, filter: EventFilter): Promise<EventFilter> {
    const grams = gramsToLookUp(filter.search?.include ?? []);
    if (grams.length === 0 || this.environment.SEARCH_INDEX_FROM === 0) return filter;
    const candidates = await cachedValue(sql, `search ${grams.join()}`, () => this.candidates(sql, grams));
    return candidates === undefined || candidates === 'any' ? filter : { ...filter, candidates };
  }

  /** Updates the index, if it is enabled. After an error, calls do nothing for `RETRY_DELAY_MS`. */
  async updateIndex(): Promise<void> {
    // Without the deadline of the request that starts it.
    this.work ??= withDeadline(Infinity, () => this.runUpdate());
    await this.work;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await waitForStep(this.work);
  }

  /** Returns `any` if the index does not help until the next commit, and undefined if it may help soon. */
  private async candidates(sql: ReadCache, grams: readonly number[]): Promise<readonly number[] | 'any' | undefined> {
    // Reads changes before slices. A change that the index takes over in between is then in both, not in neither.
    const state = await readIndexState(sql);
    if (!this.isEnabled(state)) return 'any';
    const { changed } = state;
    if (changed === undefined || changed.length >= MIN_CHANGES_TO_UPDATE) void this.updateIndex();
    if (changed === undefined) return undefined;
    const candidates = [...new Set([...(await readCandidates(sql, state.lastId, grams)), ...changed])];
    return candidates.length > MAX_CANDIDATES ? 'any' : candidates;
  }

  private async runUpdate(): Promise<void> {
    try {
      const state = await readIndexState(this.database);
      if (this.isEnabled(state)) await indexEvents(this.database, () => !this.isStopping);
      this.work = undefined;
    } catch (error) {
      this.log.warn({ error: loggedError(error), msg: 'the search index was not brought up to date' });
      setTimeout(() => (this.work = undefined), RETRY_DELAY_MS).unref();
    }
  }

  private isEnabled({ seq, lastId }: SearchIndexState): boolean {
    const { SEARCH_INDEX_FROM: from } = this.environment;
    return from > 0 && (seq !== undefined || lastId >= from);
  }
}
