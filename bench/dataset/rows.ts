import { createHash } from 'node:crypto';
import { CATEGORY } from '../../src/categories/category.kind.js';
import { EventDto } from '../../src/events/event.dto.js';
import type { EventRow } from '../../src/events/event.entity.js';
import { readSchedule, type Schedule } from '../../src/events/write/dates.js';
import { eventValues } from '../../src/events/event.values.js';
import { callerWith } from '../../src/kernel/caller.js';
import { nameKey, searchText } from '../../src/kernel/text/case-folding.js';
import { cleanHtml } from '../../src/kernel/text/html.js';
import { slugify, suffixedSlug, trashedSlug } from '../../src/kernel/text/slug.js';
import type { LinkedPostDto, LinkedPostKind } from '../../src/linked-posts/linked-post.kind.js';
import type { LinkItem } from '../../src/linked-posts/linked-post.items.js';
import { linkedPostValues } from '../../src/linked-posts/linked-post.draft.js';
import { ORGANIZER } from '../../src/organizers/organizer.kind.js';
import { readEnvironment } from '../../src/config/environment.js';
import { SiteSettings } from '../../src/config/site-settings.js';
import type { Problems } from '../../src/errors/problems.js';
import { readInput } from '../../src/platform/http/fields/input.js';
import type { RequestContext } from '../../src/platform/http/request-context.js';
import type { PostDto } from '../../src/posts/post.dto.js';
import { newPublication, readPublication } from '../../src/posts/post.publication.js';
import { TAG } from '../../src/tags/tag.kind.js';
import { VENUE } from '../../src/venues/venue.kind.js';
import type { Bodies, Body, Sizes } from './bodies.js';

export type Row = Record<string, string | number | null>;
/** Rows for one table, in the order of their ids. */
export type Part = readonly [table: string, rows: Row[]];

const ADMINISTRATOR = 1;

/**
 * Generates the rows that the application would write for the bodies of a data set. Derives values with the application's
 * own functions. verify.ts compares the rows with those of the application.
 */
export class DataSetRows {
  private readonly context: RequestContext;
  private readonly slugs = new Map<string, Set<string>>();
  private readonly lastNumbers = new Map<string, number>();
  private readonly images = new Map<string, number>();
  private readonly htmls = new Map<string, string>();

  constructor(
    private readonly bodies: Bodies,
    private readonly sizes: Sizes,
    private readonly nowUtc: string,
  ) {
    const site = new SiteSettings(readEnvironment({}));
    this.context = { caller: callerWith(ADMINISTRATOR, 'administrator'), nowUtc, site } as RequestContext;
  }

  /** Yields all rows, up to some thousand at a time. Each row comes after those that it refers to. */
  *parts(): Generator<Part> {
    const { venues, organizers, categories, tags, events } = this.sizes;
    yield* this.linked(VENUE, venues, (id) => this.bodies.venue(id));
    yield* this.linked(ORGANIZER, organizers, (id) => this.bodies.organizer(id));
    const categoryRows = numbers(1, categories).map((id) => this.term(CATEGORY.taxonomy, id, this.bodies.category(id)));
    const tagRows = numbers(1, tags).map((n) => this.term(TAG.taxonomy, categories + n, this.bodies.tag(n)));
    yield ['terms', [...categoryRows, ...tagRows]];
    for (let first = 1; first <= events; first += 5000) yield* this.events(first, Math.min(first + 4999, events));
    yield ['images', [...this.images].map(([url, id]) => this.image(url, id))];
  }

  private *linked(kind: LinkedPostKind, count: number, bodyOf: (id: number) => Body): Generator<Part> {
    yield [kind.table, numbers(1, count).map((id) => this.linkedPost(kind, id, bodyOf(id)))];
  }

  private linkedPost(kind: LinkedPostKind, id: number, body: Body): Row {
    const { dto, problems } = readInput<LinkedPostDto>(kind.dto, 'create', body);
    const values = linkedPostValues(kind, dto);
    return { id, ...values, ...this.post(kind.table, dto, problems, values.title) };
  }

  private term(taxonomy: string, id: number, { name, description, parent }: Body): Row {
    const text = String(name);
    const slug = this.freeSlug(`terms ${taxonomy}`, slugify(text));
    const texts = { name: text, name_key: nameKey(text), slug, search_text: searchText([text, slug]) };
    const about = typeof description === 'string' ? description : '';
    const parent_ = Number(parent ?? 0);
    return { id, taxonomy, ...texts, description: about, parent: parent_, modified_utc: this.nowUtc, revision: 1 };
  }

  /** Yields the rows of some events and of their links. */
  *events(first: number, last: number): Generator<Part> {
    const created = numbers(first, last).map((id) => this.event(id));
    yield ['events', created.map(({ row }) => row)];
    for (const [table, member, column] of LINKS) {
      const rows = created.flatMap(({ row, dto }) =>
        idsOf(dto[member]).map((id, position) => [row.id, id, position] as const),
      );
      yield [
        table,
        rows.map(([event_id, id, position]): Row => ({
          event_id: event_id as number,
          [column]: id,
          ...(table === 'event_terms' ? {} : { position }),
        })),
      ];
    }
  }

  private event(id: number): { row: Row; dto: EventDto } {
    const { description, excerpt, ...others } = this.bodies.event(id);
    const { dto, problems } = readInput(EventDto, 'create', others);
    dto.description = this.clean(description as string);
    dto.excerpt = this.clean(excerpt as string);
    const row: Omit<EventRow, 'id'> = {
      ...(eventValues(dto, undefined, this.context) as EventRow),
      ...(readSchedule(dto, undefined, this.context, problems) as Schedule),
      ...this.post('events', dto, problems, dto.title ?? ''),
      post_parent: 0,
      password_hash: null,
      uid: null,
    };
    return { row: { id, ...row }, dto };
  }

  /** Sanitizes each text once, because many events share few texts. */
  private clean(html: string): string {
    const cleaned = this.htmls.get(html) ?? cleanHtml(html) ?? '';
    this.htmls.set(html, cleaned);
    return cleaned;
  }

  private post(table: string, dto: PostDto, problems: Problems, title: string) {
    const publication = newPublication(dto, readPublication(dto, this.context, problems), this.context);
    const image_id = this.imageId(dto);
    problems.throwIfAny();
    const slug = this.freeSlug(table, slugify(title));
    const common = { author_id: ADMINISTRATOR, modified_utc: this.nowUtc, revision: 1, image_id, ...publication };
    if (dto.status !== 'trash') return { ...common, slug, restore_slug: null, trashed_from: null };
    // A record in the trash frees its slug.
    this.slugs.get(table)?.delete(slug);
    this.lastNumbers.delete(`${table} ${slugify(title)}`);
    const trashed = this.freeSlug(table, slug, trashedSlug);
    return {
      ...common,
      slug: trashed,
      restore_slug: slug,
      trashed_from: publication.status,
      status: 'trash' as const,
      public_from: null,
    };
  }

  private freeSlug(table: string, wanted: string, nth: (slug: string, n: number) => string = numbered): string {
    const taken = this.slugs.get(table) ?? new Set<string>();
    this.slugs.set(table, taken);
    const key = `${table} ${nth(wanted, 1)}`;
    let n = this.lastNumbers.get(key) ?? 1;
    while (taken.has(nth(wanted, n))) n += 1;
    this.lastNumbers.set(key, n);
    const slug = nth(wanted, n);
    taken.add(slug);
    return slug;
  }

  private imageId({ image }: PostDto): number | null {
    if (image === undefined || image === null || image === 'none' || 'id' in image) return null;
    const id = this.images.get(image.url) ?? this.images.size + 1;
    this.images.set(image.url, id);
    return id;
  }

  private image(url: string, id: number): Row {
    const url_hash = createHash('sha256').update(url).digest('hex');
    return { id, url, url_hash, width: null, height: null, filesize: null, created_utc: this.nowUtc };
  }
}

const LINKS = [
  ['event_venues', 'venue', 'venue_id'],
  ['event_organizers', 'organizer', 'organizer_id'],
  ['event_terms', 'categories', 'term_id'],
  ['event_terms', 'tags', 'term_id'],
] as const;

function idsOf(items: readonly (LinkItem | string | number)[] | null | undefined): number[] {
  return (items ?? []).map((item) => (typeof item === 'object' ? (item as { id: number }).id : Number(item)));
}

function numbered(slug: string, n: number): string {
  return n === 1 ? slug : suffixedSlug(slug, n);
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
