import { Entity, Index } from 'typeorm';
import { IdColumn, KeyId, TextColumn } from '../database/sql/columns.js';
import { LinkedPostRow } from '../linked-posts/linked-post.entity.js';

@Entity('speakers')
@Index('ux_speakers_slug', ['slug'], { unique: true })
@Index('ix_speakers_list', ['date_utc', 'id'])
@Index('ix_speakers_name', ['name_hash'])
@Index('ix_speakers_public', ['public_from'])
@Index('ix_speakers_status', ['status', 'public_from'])
export class SpeakerRow extends LinkedPostRow {
  @TextColumn(200) topic: string;
}

@Entity('event_speakers')
@Index('ix_event_speakers_speaker', ['speaker_id', 'event_id'])
export class EventSpeakerRow {
  @KeyId() event_id: number;
  @KeyId() speaker_id: number;
  @IdColumn() position: number;
}
