import { Entity, Index } from 'typeorm';
import { Id, IdColumn, TextColumn, UtcColumn } from '../../database/sql/columns.js';
import { TABLES } from '../../database/sql/tables.js';
import type { Role } from '../../kernel/capability.js';

@Entity(TABLES.users)
@Index('ux_users_login', ['login'], { unique: true })
export class UserRow {
  @Id() id: number;
  @TextColumn(60) login: string;
  @TextColumn(20) role: Role;
  @UtcColumn() created_utc: string;
}

@Entity(TABLES.tokens)
@Index('ux_tokens_hash', ['hash'], { unique: true })
@Index('ix_tokens_user', ['user_id'])
export class TokenRow {
  @Id() id: number;
  @IdColumn() user_id: number;
  /** SHA-256 of the token, in hexadecimal; the token itself is stored nowhere. */
  @TextColumn(64) hash: string;
  @TextColumn(100) name: string;
  /** A role below the user's; null: the user's own. */
  @TextColumn(20, { nullable: true }) role: Role | null;
  @UtcColumn({ nullable: true }) expires_utc: string | null;
  @UtcColumn({ nullable: true }) last_used_utc: string | null;
  @UtcColumn() created_utc: string;
}
