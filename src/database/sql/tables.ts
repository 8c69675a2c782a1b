/** Table names, for hand-written SQL and for the entities. */
export const TABLES = {
  events: 'events',
  venues: 'venues',
  organizers: 'organizers',
  terms: 'terms',
  eventVenues: 'event_venues',
  eventOrganizers: 'event_organizers',
  eventTerms: 'event_terms',
  users: 'users',
  tokens: 'tokens',
  images: 'images',
  changes: 'changes',
  dataVersion: 'data_version',
  site: 'site',
  nameLocks: 'name_locks',
  importedLines: 'imported_lines',
  importedRecords: 'imported_records',
  idempotencyKeys: 'idempotency_keys',
  searchIndex: 'search_index',
  searchWords: 'search_words',
  searchBlocks: 'search_blocks',
  webhooks: 'webhooks',
  webhookMessages: 'webhook_messages',
} as const;

/** Names of indexes that statements use in hints. */
export const INDEXES = {
  /** `(hide_from_listings, start_utc, id, …)`: a covering index of the default list, in its order. */
  eventList: 'ix_events_list',
  /** `(status, public_from)`: finds events whose status is due to change. */
  eventStatus: 'ix_events_status',
  /** The sort column and the id, then the other columns of the default list. */
  eventDate: 'ix_events_date',
  eventModified: 'ix_events_modified',
  /** Only where `LONG_TEXTS_ARE_INDEXED` (columns.ts). */
  eventTitle: 'ix_events_title',
  /** `(seq)`, by which the engines also sort by id. */
  changesSeq: 'ix_changes_seq',
  /** `(listed, seq, id)`: finds changes that anonymous readers may know of. */
  changesListed: 'ix_changes_listed',
} as const;

/** Tables of records that have an author, a status and a date from which they are public. */
export const POST_TABLES: readonly string[] = [TABLES.events, TABLES.venues, TABLES.organizers];
