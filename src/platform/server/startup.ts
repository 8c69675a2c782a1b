import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock.js';
import { Connector, openingError } from '../../database/connector.js';
import { Database } from '../../database/database.js';
import type { DatabaseWarning } from '../../database/sql/database-warnings.js';
import type { Dialect, Sql } from '../../database/sql/dialect.js';
import { loggedError } from '../../errors/logged-error.js';
import { FirstAdmin } from '../auth/first-admin.js';
import { Log } from '../observability/log.js';
import { type GaugeSource, Metrics } from '../observability/metrics.js';
import { Health } from './health.js';

/** Between attempts, in milliseconds; the service is ready soon after its database is. */
const FIRST_WAIT = 100;
const LONGEST_WAIT = 1_000;

/** From listening to serving: the database may come later than the service. */
@Injectable()
export class Startup {
  private doubts: readonly DatabaseWarning[] = [];

  constructor(
    private readonly connector: Connector,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly firstStart: FirstAdmin,
    private readonly health: Health,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    const figures = databaseFigures(database, () => this.doubts);
    for (const figure of figures) metrics.gauge(figure);
  }

  /** Tries until it is done; throws what no further attempt would mend. */
  async run(rootUrl: string): Promise<void> {
    for (let wait = FIRST_WAIT; !this.health.isStopping; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      try {
        await this.connector.connect('requests');
        if (this.health.isStopping) return;
        await this.firstStart.run(rootUrl);
        this.health.start();
        this.log.info({ url: rootUrl }, 'ready');
        void this.tellDoubts();
        return;
      } catch (error) {
        if (!this.connector.mayRecover(error)) throw openingError(error);
        const { code, message } = loggedError(error);
        this.log.warn(`the database of DATABASE_URL cannot be reached yet: ${code ?? ''} ${message}`);
        await sleep(wait / 2 + (Math.random() * wait) / 2);
      }
    }
  }

  /** What makes the promises of this service weaker, where the database says so: nobody waits for it. */
  private async tellDoubts(): Promise<void> {
    this.doubts = await databaseDoubts(this.database, () => this.clock.milliseconds()).catch(() => []);
    for (const { text } of this.doubts) this.log.warn(text);
  }
}

/** Asks the database. `milliseconds`: the clock of this process, since 1970. */
export async function databaseDoubts(
  database: Sql & { readonly dialect: Dialect },
  milliseconds: () => number,
): Promise<DatabaseWarning[]> {
  const { dialect } = database;
  const sent = milliseconds();
  const [facts] = await database.query(dialect.warningFacts);
  return facts === undefined ? [] : dialect.warnings(facts, { sent, received: milliseconds() });
}

/** `doubts`: by which settings the database keeps less than this service promises. */
function databaseFigures(database: Database, doubts: () => readonly DatabaseWarning[]): readonly GaugeSource[] {
  return [
    {
      name: 'kalends_database_connections',
      help: 'Connections to the database server, by whether they are in use',
      label: 'state',
      read: () => {
        const { open, idle } = database.load();
        return { used: open - idle, idle };
      },
    },
    {
      name: 'kalends_database_waiting',
      help: 'Callers that wait for a connection or, on SQLite, for their turn to write',
      read: () => database.load().waiting,
    },
    {
      name: 'kalends_database_doubts',
      // Each worker asks, and all mean the same database.
      aggregator: 'max',
      help: 'Settings by which the database keeps less than this service promises: 1 each',
      label: 'about',
      read: () => Object.fromEntries(doubts().map(({ about }) => [about, 1])),
    },
  ];
}
