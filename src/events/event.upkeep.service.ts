import { Injectable } from '@nestjs/common';
import { ALL_CHANGED } from '../database/connection/transaction.js';
import { Database } from '../database/database.js';
import { FollowedEvents } from './index/followed-events.js';
import { IndexCheck } from './index/index-check.js';
import { EventSearch } from './search/event-search.js';
import { ScheduledPublisher } from './write/scheduled-publisher.js';

/** What servers and commands do for stored events, besides requests. */
@Injectable()
export class EventUpkeepService {
  constructor(
    private readonly database: Database,
    private readonly search: EventSearch,
    private readonly publisher: ScheduledPublisher,
    private readonly index: FollowedEvents,
    private readonly indexCheck: IndexCheck,
  ) {}

  /** Makes all processes, and programs that follow the changes, read everything anew. */
  async reread(): Promise<void> {
    await this.database.inTransaction((tx) => Promise.resolve(tx.recordChange(ALL_CHANGED, 0, 0)));
  }

  /**
   * Loads the index of events, follows the change record for a time, and compares it with the database. Returns one line for
   * each difference.
   */
  async checkIndex(milliseconds: number): Promise<string[]> {
    await this.indexCheck.follow(milliseconds);
    return this.indexCheck.differences();
  }

  /** Loads the index of events, if it is switched on. A server calls it before it is ready. */
  async loadIndex(): Promise<void> {
    if (this.index.isOn) await this.index.read(() => undefined);
  }

  /** Starts the background work of a server. CLI commands do not call it, because some must not write. */
  startBackgroundWork(): void {
    this.publisher.start();
    this.search.startUpdates();
  }

  /** Updates the search index, if it is enabled. */
  indexTexts(): Promise<void> {
    return this.search.updateIndex();
  }
}
