import { Entity, Index } from 'typeorm';
import { TextColumn } from '../database/sql/columns.js';
import { TABLES } from '../database/sql/tables.js';
import { LinkedPostRow } from '../linked-posts/linked-post.entity.js';

@Entity(TABLES.organizers)
@Index('ux_organizers_slug', ['slug'], { unique: true })
@Index('ix_organizers_list', ['date_utc', 'id'])
@Index('ix_organizers_name', ['name_hash'])
@Index('ix_organizers_public', ['public_from'])
@Index('ix_organizers_status', ['status', 'public_from'])
export class OrganizerRow extends LinkedPostRow {
  @TextColumn(254) email: string;
}
