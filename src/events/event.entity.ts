import { Entity, Index } from 'typeorm';
import {
  FlagColumn,
  IdColumn,
  KeyId,
  LocalTimeColumn,
  LongTextColumn,
  LongTextIndex,
  TextColumn,
  UtcColumn,
} from '../database/sql/columns.js';
import { INDEXES, TABLES } from '../database/sql/tables.js';
import { type Flag, PostRow } from '../posts/post.entity.js';

/** The columns that the default list filters by. They make each index covering for the ids of a page. */
const LIST_COLUMNS = ['id', 'hide_from_listings', 'start_utc', 'public_from', 'end_utc'];

@Entity(TABLES.events)
@Index('ux_events_slug', ['slug'], { unique: true })
@Index('ux_events_uid', ['uid'], { unique: true })
@Index(INDEXES.eventList, ['hide_from_listings', 'start_utc', 'id', 'public_from', 'end_utc'])
@Index(INDEXES.eventDate, ['date_utc', ...LIST_COLUMNS])
@Index(INDEXES.eventModified, ['modified_utc', ...LIST_COLUMNS])
@LongTextIndex(INDEXES.eventTitle, ['title_key', ...LIST_COLUMNS])
@Index('ix_events_author', ['author_id'])
@Index('ix_events_parent', ['post_parent'])
@Index('ix_events_public', ['public_from'])
@Index(INDEXES.eventStatus, ['status', 'public_from'])
export class EventRow extends PostRow {
  @LongTextColumn() excerpt: string;
  @LocalTimeColumn() start_local: string;
  @LocalTimeColumn() end_local: string;
  @UtcColumn() start_utc: string;
  @UtcColumn() end_utc: string;
  @TextColumn(64) timezone: string;
  @FlagColumn() all_day: Flag;
  /** The parsed cost as JSON, or ''. Reads format it, because the format depends on settings. */
  @LongTextColumn() cost: string;
  @TextColumn(2000) website: string;
  @FlagColumn() show_map: Flag;
  @FlagColumn() show_map_link: Flag;
  @FlagColumn() hide_from_listings: Flag;
  @FlagColumn() sticky: Flag;
  @FlagColumn() featured: Flag;
  @FlagColumn() ticketed: Flag;
  /** The id of the parent event. 0: none. */
  @IdColumn() post_parent: number;
  @TextColumn(255, { nullable: true }) password_hash: string | null;
  /** The identity in calendar programs, if the event came with one. null: `eventUid` (event.uid.ts). */
  @TextColumn(255, { nullable: true }) uid: string | null;
}

@Entity(TABLES.eventVenues)
@Index('ix_event_venues_venue', ['venue_id', 'event_id'])
export class EventVenueRow {
  @KeyId() event_id: number;
  @KeyId() venue_id: number;
  @IdColumn() position: number;
}

@Entity(TABLES.eventOrganizers)
@Index('ix_event_organizers_organizer', ['organizer_id', 'event_id'])
export class EventOrganizerRow {
  @KeyId() event_id: number;
  @KeyId() organizer_id: number;
  @IdColumn() position: number;
}

@Entity(TABLES.eventTerms)
@Index('ix_event_terms_term', ['term_id', 'event_id'])
export class EventTermRow {
  @KeyId() event_id: number;
  @KeyId() term_id: number;
}
