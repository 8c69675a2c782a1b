import type { Client, Reply } from './client.js';

/** One change, as `/changes` tells it. */
export interface ToldChange {
  readonly type: string;
  readonly id: number;
  readonly deleted: boolean;
  readonly changed_utc: string;
  readonly record?: Record<string, unknown> & { readonly id: number };
}

/** A program that keeps a copy: the loop of docs/copies.md, one request at a time. */
export class Copy {
  /** The records by type and id. */
  readonly records = new Map<string, ToldChange['record']>();
  since: string | undefined;

  constructor(
    private readonly client: Client,
    private readonly options: { readonly token?: string; readonly query?: string } = {},
  ) {}

  /** Sends one request, stores its changes and its token, and returns the reply. */
  async step(more = ''): Promise<Reply> {
    const { token, query = '' } = this.options;
    const since = this.since === undefined ? '' : `&since=${this.since}`;
    const reply = await this.client.get(`/changes?${query}${since}${more}`, token);
    if (reply.status !== 200) throw new Error(`GET /changes answered ${reply.status}: ${reply.text}`);
    for (const change of reply.body.changes as ToldChange[]) {
      const key = `${change.type} ${change.id}`;
      if (change.deleted) this.records.delete(key);
      else this.records.set(key, change.record);
    }
    this.since = reply.body.next_since as string;
    return reply;
  }

  /** Follows until there are no further changes, and returns all of them. */
  async follow(): Promise<ToldChange[]> {
    const changes: ToldChange[] = [];
    for (let hasMore = true; hasMore;) {
      const { body } = await this.step();
      changes.push(...(body.changes as ToldChange[]));
      hasMore = body.has_more as boolean;
    }
    return changes;
  }

  contents(): [string, unknown][] {
    return contentsOf(this.records);
  }
}

type Records = ReadonlyMap<string, ToldChange['record']>;

/** Returns the records by type and id, reduced as a copy joins other records by id (changes section 5). */
export function contentsOf(records: Records): [string, unknown][] {
  const reduced = [...records].map(([key, record]): [string, unknown] => [key, joined(record!, records)]);
  return reduced.sort(([a], [b]) => (a < b ? -1 : 1));
}

function joined({ count: _, ...record }: Record<string, unknown>, records: Records): object {
  // Only events embed other records.
  if (record.categories === undefined) return record;
  const held = (type: string, value: unknown) => {
    const list = (Array.isArray(value) ? value : [value]) as { id: number }[];
    return list.map(({ id }) => id).filter((id) => records.has(`${type} ${id}`));
  };
  return {
    ...record,
    venue: held('venue', record.venue),
    organizer: held('organizer', record.organizer),
    categories: held('category', record.categories).sort(),
    tags: held('tag', record.tags).sort(),
  };
}

/** Returns a change as `type id` and `deleted` or its title or name. */
export function told({ type, id, deleted, record }: ToldChange): string {
  return `${type} ${id} ${deleted ? 'deleted' : String(record?.title ?? record?.venue ?? record?.organizer ?? record?.name)}`;
}
