import { Entity, Index } from 'typeorm';
import { FlagColumn, RealColumn, TextColumn } from '../database/sql/columns.js';
import { TABLES } from '../database/sql/tables.js';
import { LinkedPostRow } from '../linked-posts/linked-post.entity.js';
import type { Flag } from '../posts/post.entity.js';

@Entity(TABLES.venues)
@Index('ux_venues_slug', ['slug'], { unique: true })
@Index('ix_venues_list', ['date_utc', 'id'])
@Index('ix_venues_name', ['name_hash'])
@Index('ix_venues_public', ['public_from'])
@Index('ix_venues_status', ['status', 'public_from'])
export class VenueRow extends LinkedPostRow {
  @TextColumn(500) address: string;
  @TextColumn(500) city: string;
  @TextColumn(500) country: string;
  @TextColumn(500) province: string;
  @TextColumn(500) state: string;
  /** The sent value. '': reads derive it (contract 11.3). */
  @TextColumn(500) stateprovince: string;
  @TextColumn(100) zip: string;
  @FlagColumn() show_map: Flag;
  @FlagColumn() show_map_link: Flag;
  @RealColumn() geo_lat: number | null;
  @RealColumn() geo_lng: number | null;
}
