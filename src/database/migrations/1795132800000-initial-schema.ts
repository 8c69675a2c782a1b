import {
  type MigrationInterface,
  type QueryRunner,
  Table,
  type TableColumnOptions,
  type TableIndexOptions,
} from 'typeorm';
import { TYPES } from '../sql/columns.js';

const { id, text, longText, time, flag, real } = TYPES;

type Column = Omit<TableColumnOptions, 'name'>;

const key: Column = { ...id(), isPrimary: true };
const generated: Column = { ...key, isGenerated: true, generationStrategy: 'increment' };
const nullable = (column: Column): Column => ({ ...column, isNullable: true });

const POST: Record<string, Column> = {
  id: generated,
  slug: text(255),
  restore_slug: nullable(text(255)),
  title: text(500),
  title_key: longText(),
  search_text: longText(),
  description: longText(),
  status: text(20),
  trashed_from: nullable(text(20)),
  public_from: nullable(time()),
  author_id: id(),
  date_utc: time(),
  modified_utc: time(),
  revision: id(),
  image_id: nullable(id()),
};
const LINKED_POST: Record<string, Column> = { ...POST, name_hash: text(64), phone: text(100), website: text(2000) };

const TABLES: Record<string, Record<string, Column>> = {
  events: {
    ...POST,
    excerpt: longText(),
    start_local: time(),
    end_local: time(),
    start_utc: time(),
    end_utc: time(),
    timezone: text(64),
    all_day: flag(),
    cost: longText(),
    website: text(2000),
    show_map: flag(),
    show_map_link: flag(),
    hide_from_listings: flag(),
    sticky: flag(),
    featured: flag(),
    ticketed: flag(),
    post_parent: id(),
    password_hash: nullable(text(255)),
  },
  event_venues: { event_id: key, venue_id: key, position: id() },
  event_organizers: { event_id: key, organizer_id: key, position: id() },
  event_terms: { event_id: key, term_id: key },
  venues: {
    ...LINKED_POST,
    address: text(500),
    city: text(500),
    country: text(500),
    province: text(500),
    state: text(500),
    stateprovince: text(500),
    zip: text(100),
    show_map: flag(),
    show_map_link: flag(),
    geo_lat: nullable(real()),
    geo_lng: nullable(real()),
  },
  organizers: { ...LINKED_POST, email: text(254) },
  terms: {
    id: generated,
    taxonomy: text(32),
    slug: text(255),
    name: text(200),
    name_key: text(600),
    description: longText(),
    search_text: longText(),
    parent: { ...id(), default: 0 },
    modified_utc: time(),
    revision: id(),
  },
  images: {
    id: generated,
    url: text(2000),
    url_hash: text(64),
    width: nullable(id()),
    height: nullable(id()),
    filesize: nullable(id()),
    created_utc: time(),
  },
  users: { id: generated, login: text(60), role: text(20), created_utc: time() },
  tokens: {
    id: generated,
    user_id: id(),
    hash: text(64),
    name: text(100),
    role: nullable(text(20)),
    expires_utc: nullable(time()),
    last_used_utc: nullable(time()),
    created_utc: time(),
  },
  changes: { id: generated, seq: id(), kind: text(50), record_id: id(), user_id: id(), made_utc: time() },
  data_version: { id: key, version: id() },
  name_locks: { name: { ...text(100), isPrimary: true } },
  imported_lines: { line_key: { ...text(64), isPrimary: true }, event_id: id() },
};

const UNIQUE: Record<string, [string, string[]]> = {
  ux_events_slug: ['events', ['slug']],
  ux_venues_slug: ['venues', ['slug']],
  ux_organizers_slug: ['organizers', ['slug']],
  ux_terms_slug: ['terms', ['taxonomy', 'slug']],
  ux_images_url: ['images', ['url_hash']],
  ux_users_login: ['users', ['login']],
  ux_tokens_hash: ['tokens', ['hash']],
};

const INDEXES: Record<string, [string, string[]]> = {
  ix_events_list: ['events', ['hide_from_listings', 'start_utc', 'id', 'public_from', 'end_utc']],
  ix_events_author: ['events', ['author_id']],
  ix_events_parent: ['events', ['post_parent']],
  ix_event_venues_venue: ['event_venues', ['venue_id', 'event_id']],
  ix_event_organizers_organizer: ['event_organizers', ['organizer_id', 'event_id']],
  ix_event_terms_term: ['event_terms', ['term_id', 'event_id']],
  ix_venues_list: ['venues', ['date_utc', 'id']],
  ix_venues_name: ['venues', ['name_hash']],
  ix_organizers_list: ['organizers', ['date_utc', 'id']],
  ix_organizers_name: ['organizers', ['name_hash']],
  ix_terms_name: ['terms', ['taxonomy', 'name_key']],
  ix_terms_parent: ['terms', ['parent']],
  ix_tokens_user: ['tokens', ['user_id']],
  ix_changes_seq: ['changes', ['seq']],
  ix_imported_lines_event: ['imported_lines', ['event_id']],
};

export class InitialSchema1795132800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // On servers each statement commits by itself, so this keeps what an interrupted run has created.
    for (const [name, columns] of Object.entries(TABLES)) {
      await runner.createTable(new Table({ name, columns: named(columns), indices: indexesOf(name), ...ENGINE }), true);
    }
    const versions = (await runner.query('SELECT id FROM data_version')) as unknown[];
    if (versions.length === 0) await runner.query('INSERT INTO data_version (id, version) VALUES (1, 0)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(TABLES).reverse()) await runner.dropTable(name);
  }
}

const ENGINE = { engine: 'InnoDB' };

function indexesOf(table: string): TableIndexOptions[] {
  const of = (indexes: typeof INDEXES, isUnique: boolean) =>
    Object.entries(indexes)
      .filter(([, [name]]) => name === table)
      .map(([name, [, columnNames]]) => ({ name, columnNames, isUnique }));
  return [...of(UNIQUE, true), ...of(INDEXES, false)];
}

function named(columns: Record<string, Column>): TableColumnOptions[] {
  return Object.entries(columns).map(([name, column]) => ({ name, ...column }));
}
