import { Entity, Index } from 'typeorm';
import { FlagColumn, Id, IdColumn, LongTextColumn, TextColumn, UtcColumn } from '../database/sql/columns.js';
import { TABLES } from '../database/sql/tables.js';

export const MESSAGE_STATES = ['pending', 'delivered', 'failed', 'dropped'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** A message to one webhook (webhooks section 2). Its body is made when it is sent. */
@Entity(TABLES.webhookMessages)
@Index('ux_webhook_messages_key', ['message_id'], { unique: true })
@Index('ix_webhook_messages_due', ['webhook_id', 'state', 'due_utc'])
@Index('ix_webhook_messages_record', ['webhook_id', 'record_id'])
@Index('ix_webhook_messages_ended', ['ended_utc'])
export class WebhookMessageRow {
  @Id() id: number;
  @IdColumn() webhook_id: number;
  /** The `webhook-id` header, the same in every attempt. */
  @TextColumn(64) message_id: string;
  /** `event.created`, `webhook.test` … */
  @TextColumn(30) type: string;
  @TextColumn(10) record_type: string;
  @IdColumn() record_id: number;
  /** The row of the change record. 0: a test. */
  @IdColumn() change_id: number;
  @UtcColumn() made_utc: string;
  @TextColumn(10) state: MessageState;
  /** When the next attempt is due, or when the lease of the running one ends. null: there is none. */
  @UtcColumn({ nullable: true }) due_utc: string | null;
  /** Whether a process has claimed the message, until `due_utc`. */
  @FlagColumn() leased: 0 | 1;
  /** Attempts since the message was last queued. */
  @IdColumn() tries: number;
  /** JSON of the last attempts, newest first. */
  @LongTextColumn() attempts: string;
  @UtcColumn() created_utc: string;
  @UtcColumn({ nullable: true }) ended_utc: string | null;
}
