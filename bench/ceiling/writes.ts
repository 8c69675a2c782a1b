import { createHash } from 'node:crypto';
import { searchText, sortKey } from '../../src/kernel/text/case-folding.js';
import { cleanHtml } from '../../src/kernel/text/html.js';
import { slugify } from '../../src/kernel/text/slug.js';
import type { Driver, DriverTransaction } from '../database.js';
import type { ReplyData, RequestData } from './http.js';
import type { Reads } from './reads.js';
import type { TermCounts } from './term-counts.js';

/** A body of the bench, with a unique title, links by id, and times in UTC. */
export interface Sent {
  readonly title: string;
  readonly description: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly venue: readonly number[];
  readonly organizer: readonly number[];
  readonly categories: readonly number[];
  readonly tags: readonly number[];
}

/** The writes of one caller. Each is a transaction with the fewest statements that produce the same rows. */
export class Writes {
  constructor(
    private readonly driver: Driver,
    private readonly reads: Reads,
    private readonly counts: TermCounts,
  ) {}

  /** Returns the user of a token. */
  async caller(authorization = ''): Promise<number> {
    const hash = createHash('sha256').update(authorization.replace('Bearer ', '')).digest('hex');
    const [row] = await this.driver.rows<{ user_id: number }>(
      'SELECT t.user_id, u.role FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = ?',
      [hash],
    );
    if (row === undefined) throw new Error('unknown token');
    return row.user_id;
  }

  async create(asked: RequestData, sent: Sent, userId: number): Promise<ReplyData> {
    const terms = [...sent.categories, ...sent.tags];
    const id = await this.driver.transaction(async (tx) => {
      const event = await insert(tx, 'events', [{ ...eventRow(sent, asked.nowUtc), author_id: userId }]);
      const positioned = (column: string, ids: readonly number[]) =>
        ids.map((linked, position) => ({ event_id: event, [column]: linked, position }));
      await insert(tx, 'event_venues', positioned('venue_id', sent.venue));
      await insert(tx, 'event_organizers', positioned('organizer_id', sent.organizer));
      await insert(
        tx,
        'event_terms',
        terms.map((term_id) => ({ event_id: event, term_id })),
      );
      await note(tx, 'event.created', event, userId, asked.nowUtc);
      return event;
    });
    this.counts.add(terms);
    return {
      ...(await this.reads.event(asked, 'id', String(id), false)),
      status: 201,
      location: `${asked.baseUrl}/events/${id}`,
    };
  }

  async update(asked: RequestData, id: number, { title, description }: Sent, userId: number): Promise<ReplyData> {
    await this.driver.transaction(async (tx) => {
      const [stored] = await tx.rows(`SELECT excerpt, revision FROM events WHERE id = ?${this.driver.forUpdate}`, [id]);
      const { excerpt, revision } = stored as { excerpt: string; revision: number };
      const html = cleanHtml(description) ?? '';
      const texts = [title, sortKey(title), html, searchText([title, html, excerpt])];
      await tx.run(
        'UPDATE events SET title = ?, title_key = ?, description = ?, search_text = ?, modified_utc = ?, revision = ? ' +
          'WHERE id = ?',
        [...texts, asked.nowUtc, revision + 1, id],
      );
      await note(tx, 'event.updated', id, userId, asked.nowUtc);
    });
    return this.reads.event(asked, 'id', String(id), false);
  }
}

function eventRow(sent: Sent, nowUtc: string) {
  const description = cleanHtml(sent.description) ?? '';
  return {
    slug: slugify(sent.title),
    restore_slug: null,
    title: sent.title,
    title_key: sortKey(sent.title),
    search_text: searchText([sent.title, description, '']),
    description,
    status: 'publish',
    trashed_from: null,
    public_from: nowUtc,
    date_utc: nowUtc,
    modified_utc: nowUtc,
    revision: 1,
    image_id: null,
    excerpt: '',
    start_local: sent.start_date,
    end_local: sent.end_date,
    start_utc: sent.start_date,
    end_utc: sent.end_date,
    timezone: 'UTC',
    all_day: 0,
    cost: '',
    website: '',
    show_map: 0,
    show_map_link: 0,
    hide_from_listings: 0,
    sticky: 0,
    featured: 0,
    ticketed: 0,
    post_parent: 0,
    password_hash: null,
  };
}

/** Ends a write: increments the data version, and inserts into the change record. */
async function note(
  tx: DriverTransaction,
  kind: string,
  record_id: number,
  user_id: number,
  made_utc: string,
): Promise<void> {
  const seq = await tx.increment('data_version', 'version');
  const listed = { listed_before: kind === 'event.created' ? 0 : 1, listed_after: 1, listed: 1, owner_id: user_id };
  await insert(tx, 'changes', [{ seq, kind, record_id, user_id, made_utc, ...listed }]);
}

type Row = Readonly<Record<string, string | number | null>>;

async function insert(tx: DriverTransaction, table: string, rows: readonly Row[]): Promise<number> {
  const columns = Object.keys(rows[0] ?? {});
  const places = `(${columns.map(() => '?').join(', ')})`;
  return tx.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => places).join(', ')}`,
    rows.flatMap((row) => Object.values(row)),
  );
}
