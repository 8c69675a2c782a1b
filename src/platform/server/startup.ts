import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock.js';
import { Connector, openingAdvice, openingError } from '../../database/connector.js';
import { Database } from '../../database/database.js';
import type { DatabaseWarning } from '../../database/sql/database-warnings.js';
import type { Dialect, Sql } from '../../database/sql/dialect.js';
import { loggedError } from '../../errors/logged-error.js';
import { FIRST_LOGIN, FirstAdmin } from '../auth/first-admin.js';
import { Log } from '../observability/log.js';
import { type GaugeSource, Metrics } from '../observability/metrics.js';
import { Health } from './health.js';

/** Delay between connection attempts, in milliseconds. Short, so that the service is ready soon after its database. */
const FIRST_RETRY_DELAY_MS = 100;
const MAX_RETRY_DELAY_MS = 1_000;

/** Connects to the database and prepares it, while the server already listens. */
@Injectable()
export class Startup {
  private warnings: readonly DatabaseWarning[] = [];

  constructor(
    private readonly connector: Connector,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly firstAdmin: FirstAdmin,
    private readonly health: Health,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    const gauges = databaseGauges(database, () => this.warnings);
    for (const gauge of gauges) metrics.gauge(gauge);
  }

  /**
   * Connects, and makes the instance ready once `initialized` has resolved: the bootstrap of modules, which may use the
   * database. Throws errors that a retry cannot solve. `apiRoot`: the URL to log.
   */
  async run(apiRoot: string, initialized: Promise<unknown> = Promise.resolve()): Promise<void> {
    await this.connect();
    // Without a database, the bootstrap of modules never ends.
    if (this.health.isStopping) return;
    await initialized;
    this.health.start();
    this.log.startStep({ url: apiRoot }, 'ready');
    void this.logWarnings();
  }

  /** Retries until the database is ready, or the instance stops. */
  private async connect(): Promise<void> {
    let lastWarning: string | undefined;
    for (let delay = FIRST_RETRY_DELAY_MS; !this.health.isStopping; delay = Math.min(delay * 2, MAX_RETRY_DELAY_MS)) {
      try {
        await this.connector.connect('requests');
        if (this.health.isStopping) return;
        const file = await this.firstAdmin.create();
        if (file !== undefined)
          this.log.startStep({ login: FIRST_LOGIN, tokenFile: file }, 'created the first administrator');
        return;
      } catch (error) {
        if (!this.connector.mayRecover(error)) throw openingError(error);
        const { code, message } = loggedError(error);
        const reason = `${code ?? ''} ${message}${openingAdvice(error)}`;
        // Once for each reason, because attempts come every second.
        if (reason !== lastWarning) this.log.warn(`the database of DATABASE_URL cannot be reached yet: ${reason}`);
        lastWarning = reason;
        await sleep(delay / 2 + (Math.random() * delay) / 2);
      }
    }
  }

  /** Logs database settings that weaken the guarantees of this service. Runs in the background. */
  private async logWarnings(): Promise<void> {
    this.warnings = await databaseWarnings(this.database, () => this.clock.milliseconds()).catch(() => []);
    for (const { text } of this.warnings) this.log.warn(text);
  }
}

/** Queries the database for warnings. `milliseconds`: the clock of this process, since 1970. */
export async function databaseWarnings(
  database: Sql & { readonly dialect: Dialect },
  milliseconds: () => number,
): Promise<DatabaseWarning[]> {
  const { dialect } = database;
  const sent = milliseconds();
  const [facts] = await database.query(dialect.warningFacts);
  return facts === undefined ? [] : dialect.warnings(facts, { sent, received: milliseconds() });
}

/** Returns the gauges of the database. */
function databaseGauges(database: Database, warnings: () => readonly DatabaseWarning[]): readonly GaugeSource[] {
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
      // All workers report the same database.
      aggregator: 'max',
      help: 'Settings by which the database keeps less than this service promises: 1 each',
      label: 'about',
      read: () => Object.fromEntries(warnings().map(({ about }) => [about, 1])),
    },
  ];
}
