import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { type ReadCache, cachedValue } from '../../database/cache/read-cache.js';
import { withDeadline } from '../../database/connection/deadline.js';
import { gramsToAsk } from './grams.js';
import { Environment } from '../../config/environment.js';
import { loggedError } from '../../errors/logged-error.js';
import { waitForStep } from '../../config/timeout.js';
import { Log } from '../../platform/observability/log.js';
import { readMarked, readSearchIndex, type SearchIndexState } from './candidates.js';
import type { EventFilter } from '../filter/filter.js';
import { indexEvents } from './indexer.js';

/** A search that may find more reads along the list: a page is full soon, and so many ids make a long statement. */
const MOST_CANDIDATES = 10_000;
/** From so many changes on that the index does not know it learns of them. */
const MANY_CHANGES = 500;
/** How long after an error the index is left alone, in milliseconds. */
const PAUSE = 60_000;

/**
 * The index before a search. It names the events that may hold the words, and every one that does; the texts are
 * looked at all the same. Whoever searches finds out that it has fallen behind, and has it brought up to date.
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

  /** The filter, and which events only can pass it; as it is where the index does not help. */
  async narrowed(sql: ReadCache, filter: EventFilter): Promise<EventFilter> {
    const grams = gramsToAsk(filter.search?.include ?? []);
    if (grams.length === 0 || this.environment.SEARCH_INDEX_FROM === 0) return filter;
    const known = await cachedValue(sql, `search ${grams.join()}`, () => this.candidates(sql, grams));
    return known === undefined || known === 'any' ? filter : { ...filter, candidates: known };
  }

  /** Brings the index up to date, if there is to be one. After an error it is left alone for a while. */
  async keepUp(): Promise<void> {
    // Not within the time of the request that asks for it.
    this.work ??= withDeadline(Infinity, () => this.index());
    await this.work;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await waitForStep(this.work);
  }

  /** `any`: until the next commit the index does not help. undefined: it may do so soon. */
  private async candidates(sql: ReadCache, grams: readonly number[]): Promise<readonly number[] | 'any' | undefined> {
    // Changes first, slices then: what is moved from the ones to the others meanwhile is in both.
    const state = await readSearchIndex(sql);
    if (!this.isWanted(state)) return 'any';
    const { changed } = state;
    if (changed === undefined || changed.length >= MANY_CHANGES) void this.keepUp();
    if (changed === undefined) return undefined;
    const candidates = [...new Set([...(await readMarked(sql, state.lastId, grams)), ...changed])];
    return candidates.length > MOST_CANDIDATES ? 'any' : candidates;
  }

  private async index(): Promise<void> {
    try {
      const state = await readSearchIndex(this.database);
      if (this.isWanted(state)) await indexEvents(this.database, () => !this.isStopping);
      this.work = undefined;
    } catch (error) {
      this.log.warn({ error: loggedError(error), msg: 'the search index was not brought up to date' });
      setTimeout(() => (this.work = undefined), PAUSE).unref();
    }
  }

  private isWanted({ seq, lastId }: SearchIndexState): boolean {
    const { SEARCH_INDEX_FROM: from } = this.environment;
    return from > 0 && (seq !== undefined || lastId >= from);
  }
}
