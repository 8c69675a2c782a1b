import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock.js';
import { version } from '../../config/version.js';
import { type ChangeType } from '../../database/cache/change-types.js';
import { Database } from '../../database/database.js';
import { groupedBy } from '../../kernel/grouped.js';
import { Log } from '../../platform/observability/log.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { Tracing } from '../../platform/observability/tracing.js';
import { TEST_TYPE } from '../webhook.types.js';
import { WebhookNetwork } from '../webhook.network.js';
import { CarriedRecords } from './carried-records.js';
import type { DueMessage } from './claims.js';
import { deliver } from './delivery.js';
import { messageBody } from './message.js';
import type { EndedAttempt } from './results.js';
import { signatures } from './signature.js';

/** Makes attempts: writes the bodies of messages as they are now, signs and sends them. */
@Injectable()
export class Sender {
  private readonly userAgent = `Kalends/${version()}`;

  constructor(
    private readonly database: Database,
    private readonly records: CarriedRecords,
    private readonly network: WebhookNetwork,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
  ) {}

  /** Returns the bodies of messages, in their order. Those that carry records of one kind to one audience share a read. */
  async bodiesOf(messages: readonly DueMessage[]): Promise<string[]> {
    const records = new Map<DueMessage, object | undefined>();
    for (const alike of groupedBy(messages.filter(carriesRecord), kindOf).values()) {
      const [{ record_type: type, audience }] = alike as [DueMessage];
      const ids = [...new Set(alike.map(({ record_id }) => record_id))];
      const read = () => this.records.find(type as ChangeType, ids, audience);
      const found = await this.database.withDeadlineFor('read', read);
      for (const message of alike) records.set(message, found.get(message.record_id));
    }
    return messages.map((message) => {
      const restUrl = this.records.urlOf(message.record_type, message.record_id);
      return messageBody(message, { restUrl, record: records.get(message) });
    });
  }

  /** Never throws. */
  async send(message: DueMessage, body: string, stopped: AbortSignal): Promise<EndedAttempt> {
    const at_utc = this.clock.now();
    const began = performance.now();
    const headers = this.headersOf(message, body);
    const result = await this.tracing.outgoing('POST webhook', (trace) =>
      deliver({ url: message.url, headers: { ...headers, ...trace }, body }, this.network, stopped),
    );
    const { status, error = '' } = result;
    const attempt = { at_utc, status, milliseconds: Math.round(performance.now() - began), error };
    if (!stopped.aborted) this.note(message, attempt);
    return { message, attempt, result };
  }

  private headersOf({ message_id: id, ...message }: DueMessage, body: string): Record<string, string> {
    const isRotated = message.previous_until_utc !== null && message.previous_until_utc > this.clock.now();
    const secrets = [message.secret, ...(isRotated ? [message.previous_secret] : [])];
    const timestamp = Math.floor(this.clock.milliseconds() / 1000);
    return {
      'Content-Type': 'application/json',
      'User-Agent': this.userAgent,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures(secrets, id, timestamp, body),
    };
  }

  /** Counts the attempt, and logs a failure: never the URL, whose query may be secret (webhooks rule 3.9). */
  private note({ webhook_id: webhook, message_id: message }: DueMessage, attempt: EndedAttempt['attempt']): void {
    const { status, milliseconds, error } = attempt;
    this.metrics.countWebhookAttempt(error === '' ? 'delivered' : error);
    if (error !== '') this.log.warn({ webhook, message, error, status, milliseconds, msg: 'a webhook message failed' });
  }
}

function carriesRecord(message: DueMessage): boolean {
  const { type, payload } = message;
  return payload === 'record' && type !== TEST_TYPE && !type.endsWith('.deleted');
}

function kindOf({ record_type: type, audience }: DueMessage): string {
  return `${type} ${audience}`;
}
