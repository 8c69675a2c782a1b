import { Entity } from 'typeorm';
import { FlagColumn, Id, IdColumn, TextColumn, UtcColumn } from '../database/sql/columns.js';
import { TABLES } from '../database/sql/tables.js';
import type { Audience } from './webhook.types.js';

/** Why a webhook gets no messages; '' while it does. `restored`: the database is a restored copy. */
export type DisabledReason = '' | 'paused' | 'gone' | 'failing' | 'restored';

/** An endpoint to which messages are sent (webhooks section 1). */
@Entity(TABLES.webhooks)
export class WebhookRow {
  @Id() id: number;
  @TextColumn(2000) url: string;
  @TextColumn(500) description: string;
  /** Comma-separated. */
  @TextColumn(1000) types: string;
  @TextColumn(10) audience: Audience;
  @TextColumn(10) payload: 'thin' | 'record';
  @FlagColumn() active: 0 | 1;
  @TextColumn(10) disabled_reason: DisabledReason;
  /** The commit of the change record up to which messages were made. */
  @IdColumn() position_seq: number;
  /** The row of that commit. 0: the whole commit. */
  @IdColumn() position_id: number;
  /** When the first attempt failed since the last success. */
  @UtcColumn({ nullable: true }) failing_since_utc: string | null;
  /** Failed attempts since the last success. */
  @IdColumn() failures: number;
  /** Nothing is sent before, because the receiver has asked for it (Retry-After). */
  @UtcColumn({ nullable: true }) not_before_utc: string | null;
  /** Changes before this time may have been purged before they were sent. */
  @UtcColumn({ nullable: true }) missed_before_utc: string | null;
  @UtcColumn({ nullable: true }) last_success_utc: string | null;
  /** `whsec_` and 32 bytes in base64. Readable, because it must sign (webhooks section 4). */
  @TextColumn(60) secret: string;
  /** The secret before the last rotation, which also signs until `previous_until_utc`. */
  @TextColumn(60) previous_secret: string;
  @UtcColumn({ nullable: true }) previous_until_utc: string | null;
  @UtcColumn() created_utc: string;
  @UtcColumn() modified_utc: string;
  @IdColumn() revision: number;
}
