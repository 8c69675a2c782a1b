import type { Row } from '../database/sql/row-batches.js';
import type { ToldChange } from './webhook.types.js';

/** What all messages of one occasion have in common. */
interface Occasion {
  /** The epoch of the database (change-record.entity.ts). */
  readonly epoch: string;
  readonly webhookId: number;
  readonly nowUtc: string;
}

/** Returns the `webhook-id` of a change: the same in attempts, resends and replays (webhooks section 2). */
export function messageIdOf(
  { epoch, webhookId }: Pick<Occasion, 'epoch' | 'webhookId'>,
  change: number | string,
): string {
  return `msg_${epoch}_${webhookId}_${change}`;
}

/** Returns the row of a new message, which is due at once. */
export function newMessage(occasion: Occasion, change: ToldChange): Row {
  return messageRow(occasion, messageIdOf(occasion, change.changeId), {
    type: change.type,
    record_type: change.recordType,
    record_id: change.recordId,
    change_id: change.changeId,
    made_utc: change.madeUtc,
  });
}

/** Returns the row of a message with this id and content, which is due at once. */
export function messageRow({ webhookId, nowUtc }: Occasion, messageId: string, content: Row): Row {
  return {
    webhook_id: webhookId,
    message_id: messageId,
    ...content,
    state: 'pending',
    due_utc: nowUtc,
    leased: 0,
    tries: 0,
    attempts: '[]',
    created_utc: nowUtc,
    ended_utc: null,
  };
}
