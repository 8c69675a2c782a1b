/** Table names, for hand-written SQL and for the entities. */
export const TABLES = {
  events: 'events',
  venues: 'venues',
  organizers: 'organizers',
  terms: 'terms',
  eventVenues: 'event_venues',
  eventOrganizers: 'event_organizers',
  eventTerms: 'event_terms',
  termCounts: 'term_counts',
  eventDays: 'event_days',
  scheduledTerms: 'scheduled_terms',
  scheduledDays: 'scheduled_days',
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
  searchSlices: 'search_slices',
} as const;

/** Tables of records that have an author, a status and a date from which they are public. */
export const POST_TABLES: readonly string[] = [TABLES.events, TABLES.venues, TABLES.organizers];
