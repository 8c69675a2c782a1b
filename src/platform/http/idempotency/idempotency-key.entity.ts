import { Entity, Index } from 'typeorm';
import { KeyText, LongTextColumn, TextColumn, UtcColumn } from '../../../database/sql/columns.js';
import { TABLES } from '../../../database/sql/tables.js';

/** A write with an Idempotency-Key: a claim while it runs, and its response afterwards (contract 5.5). */
@Entity(TABLES.idempotencyKeys)
@Index('ix_idempotency_keys_expires', ['expires_utc'])
export class IdempotencyKeyRow {
  /** SHA-256 of user id and key, in hexadecimal. */
  @KeyText(64) key_hash: string;
  /** SHA-256 of everything that must be equal in a repetition, in hexadecimal. */
  @TextColumn(64) fingerprint: string;
  /** UUID of the claiming request. A request that lost its claim can neither store a response nor release the key. */
  @TextColumn(36) owner: string;
  /** The response as JSON; empty while the request runs; `committed` if it has written and its response is not stored. */
  @LongTextColumn() answer: string;
  /** At this time the row expires. */
  @UtcColumn() expires_utc: string;
}
