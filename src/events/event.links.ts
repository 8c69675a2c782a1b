import { Injectable } from '@nestjs/common';
import { CategoriesService } from '../categories/categories.service.js';
import type { Sql } from '../database/dialect.js';
import type { UtcTime } from '../kernel/calendar-time.js';
import type { LinkedPostRow } from '../linked-posts/linked-post.entity.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { ImageRow } from '../platform/images/image.entity.js';
import { ImagesService } from '../platform/images/images.service.js';
import { TagsService } from '../tags/tags.service.js';
import type { presentTerm } from '../terms/term.presenter.js';
import { EventLinked, LINKED_NAMES, type LinkedName, type LinkedRow } from './event.linked.js';
import { type EventReadRow, idsOf } from './event.query.js';

type TermRecord = Parameters<typeof presentTerm>[0];

/** The records an event is shown with: those the caller may read, in the contract's order. */
export interface LinkedRecords {
  readonly posts: { readonly [Name in LinkedName]: readonly LinkedRow<Name>[] };
  readonly categories: readonly TermRecord[];
  readonly tags: readonly TermRecord[];
  readonly imageOf: (record: { readonly image_id: number | null }) => ImageRow | undefined;
}

/** Loads what events are linked to: one statement a kind, however many events there are. */
@Injectable()
export class EventLinks {
  constructor(
    private readonly linked: EventLinked,
    private readonly categories: CategoriesService,
    private readonly tags: TagsService,
    private readonly images: ImagesService,
  ) {}

  async load(sql: Sql, rows: readonly EventReadRow[], context: RequestContext): Promise<Map<number, LinkedRecords>> {
    const posts: [LinkedName, Map<number, LinkedPostRow>][] = [];
    for (const name of LINKED_NAMES) {
      posts.push([name, await this.linked.links[name].findVisible(sql, allIds(rows, `${name}_ids`), context)]);
    }
    const termIds = allIds(rows, 'term_ids');
    const categories = await this.categories.findByIds(sql, termIds, context.nowUtc);
    const tags = await this.tags.findByIds(sql, termIds, context.nowUtc);
    const shown = posts.flatMap(([, records]) => [...records.values()]);
    const images = await this.images.findMany(sql, imageIds([...rows, ...shown]));
    const imageOf = ({ image_id }: { image_id: number | null }) =>
      image_id === null ? undefined : images.get(image_id);
    const linked = (row: EventReadRow): LinkedRecords => ({
      // Each map holds the rows of its own kind.
      posts: Object.fromEntries(
        posts.map(([name, records]) => [name, pick(idsOf(row[`${name}_ids`]), records)]),
      ) as unknown as LinkedRecords['posts'],
      categories: byName(pick(idsOf(row.term_ids), categories)),
      tags: byName(pick(idsOf(row.term_ids), tags)),
      imageOf,
    });
    return new Map(rows.map((row) => [row.id, linked(row)]));
  }
}

/** The latest change of an event or of what is shown with it (contract 5.2). */
export function latestChange(row: EventReadRow, { posts, categories, tags }: LinkedRecords): UtcTime {
  const times = [...Object.values(posts).flat(), ...categories, ...tags].map(({ modified_utc }) => modified_utc);
  return times.reduce((latest, time) => (time > latest ? time : latest), row.modified_utc);
}

function allIds(rows: readonly EventReadRow[], column: `${LinkedName}_ids` | 'term_ids'): number[] {
  return [...new Set(rows.flatMap((row) => idsOf(row[column])))];
}

function imageIds(records: readonly { readonly image_id: number | null }[]): number[] {
  return [...new Set(records.map(({ image_id }) => image_id).filter((id) => id !== null))];
}

function pick<Row>(ids: readonly number[], rows: ReadonlyMap<number, Row>): Row[] {
  return ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
}

function byName(terms: readonly TermRecord[]): TermRecord[] {
  return terms.toSorted((a, b) => (a.name_key === b.name_key ? a.id - b.id : a.name_key < b.name_key ? -1 : 1));
}
