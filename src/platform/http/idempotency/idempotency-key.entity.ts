import { Entity, Index } from 'typeorm';
import { KeyText, LongTextColumn, TextColumn, UtcColumn } from '../../../database/sql/columns.js';
import { TABLES } from '../../../database/sql/tables.js';

/** A write that was sent with an Idempotency-Key: while it runs a claim, afterwards its answer. */
@Entity(TABLES.idempotencyKeys)
@Index('ix_idempotency_keys_expires', ['expires_utc'])
export class IdempotencyKeyRow {
  /** A digest of caller and key. */
  @KeyText(64) key_hash: string;
  /** A digest of all that must be equal in a repetition. */
  @TextColumn(64) fingerprint: string;
  /** Which request has the claim: who lost it can neither keep an answer nor give it up. */
  @TextColumn(36) owner: string;
  /** The answer as JSON; empty while the request runs. */
  @LongTextColumn() answer: string;
  /** From here on the row counts for nothing. */
  @UtcColumn() expires_utc: string;
}
