import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock.js';
import { Environment } from '../../config/environment.js';
import { Database } from '../../database/database.js';
import { TABLES } from '../../database/sql/tables.js';
import { toSeconds } from '../../kernel/time/epoch-seconds.js';
import { Metrics } from '../../platform/observability/metrics.js';

/** The interval between counts, which read all messages that wait. */
const PERIOD_MS = 15_000;

interface Counted {
  readonly pending: number;
  readonly oldest: string | null;
  readonly disabled: number;
}

/** Metrics of the messages that wait. All processes of a database report the same. */
@Injectable()
export class WebhookGauges {
  private isStopped = false;
  private counted: Counted = { pending: 0, oldest: null, disabled: 0 };
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly environment: Environment,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    const gauge = (name: string, help: string, read: () => number) =>
      metrics.gauge({ name: `kalends_webhook_${name}`, help, aggregator: 'max', read });
    gauge('pending', 'Messages that wait for their delivery to a webhook', () => this.counted.pending);
    gauge('oldest_pending_seconds', 'The age of the oldest message that waits', () => this.oldestSeconds);
    gauge(
      'disabled',
      'Webhooks that are disabled because their receiver fails or is gone',
      () => this.counted.disabled,
    );
  }

  /** Counts every 15 seconds, if there are metrics. */
  start(): void {
    if (this.environment.METRICS_PORT === undefined || this.isStopped) return;
    const next = () => (this.timer = setTimeout(() => this.start(), PERIOD_MS).unref());
    // While the database is unavailable, the last numbers stay.
    void this.count()
      .catch(() => undefined)
      .finally(next);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async count(): Promise<void> {
    const pending = `FROM ${TABLES.webhookMessages} m WHERE m.webhook_id = w.id AND m.state = 'pending'`;
    const rows = await this.database.withDeadlineFor('read', () =>
      this.database.query<{ pending: number; oldest: string | null; disabled_reason: string }>(
        `SELECT (SELECT count(*) ${pending}) AS pending, (SELECT min(m.created_utc) ${pending}) AS oldest, disabled_reason
         FROM ${TABLES.webhooks} w`,
      ),
    );
    this.counted = {
      pending: rows.reduce((sum, row) => sum + Number(row.pending), 0),
      oldest: rows.flatMap(({ oldest }) => oldest ?? []).toSorted()[0] ?? null,
      disabled: rows.filter((row) => ['gone', 'failing'].includes(row.disabled_reason)).length,
    };
  }

  private get oldestSeconds(): number {
    const { oldest } = this.counted;
    return oldest === null ? 0 : Math.max(0, toSeconds(this.clock.now()) - toSeconds(oldest));
  }
}
