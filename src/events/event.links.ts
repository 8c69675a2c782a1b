import { Injectable } from '@nestjs/common';
import { CategoriesService } from '../categories/categories.service.js';
import type { Sql } from '../database/dialect.js';
import type { UtcTime } from '../kernel/calendar-time.js';
import type { presentOrganizer } from '../organizers/organizer.presenter.js';
import { OrganizersService } from '../organizers/organizers.service.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { ImageRow } from '../platform/images/image.entity.js';
import { ImagesService } from '../platform/images/images.service.js';
import { TagsService } from '../tags/tags.service.js';
import type { presentTerm } from '../terms/term.presenter.js';
import type { presentVenue } from '../venues/venue.presenter.js';
import { VenuesService } from '../venues/venues.service.js';
import { type EventReadRow, idsOf } from './event.query.js';

type VenueRecord = Parameters<typeof presentVenue>[0];
type OrganizerRecord = Parameters<typeof presentOrganizer>[0];
type TermRecord = Parameters<typeof presentTerm>[0];

/** The records an event is shown with: those the caller may read, in the contract's order. */
export interface LinkedRecords {
  readonly venues: readonly VenueRecord[];
  readonly organizers: readonly OrganizerRecord[];
  readonly categories: readonly TermRecord[];
  readonly tags: readonly TermRecord[];
  readonly imageOf: (record: { readonly image_id: number | null }) => ImageRow | undefined;
}

/** Loads what events are linked to: one statement a kind, however many events there are. */
@Injectable()
export class EventLinks {
  constructor(
    private readonly venues: VenuesService,
    private readonly organizers: OrganizersService,
    private readonly categories: CategoriesService,
    private readonly tags: TagsService,
    private readonly images: ImagesService,
  ) {}

  async load(sql: Sql, rows: readonly EventReadRow[], context: RequestContext): Promise<Map<number, LinkedRecords>> {
    const venues = await this.venues.links.findVisible(sql, allIds(rows, 'venue_ids'), context);
    const organizers = await this.organizers.links.findVisible(sql, allIds(rows, 'organizer_ids'), context);
    const termIds = allIds(rows, 'term_ids');
    const categories = await this.categories.findByIds(sql, termIds, context.nowUtc);
    const tags = await this.tags.findByIds(sql, termIds, context.nowUtc);
    const images = await this.images.findMany(sql, imageIds([...rows, ...venues.values(), ...organizers.values()]));
    const imageOf = ({ image_id }: { image_id: number | null }) =>
      image_id === null ? undefined : images.get(image_id);
    const linked = (row: EventReadRow): LinkedRecords => ({
      venues: pick(idsOf(row.venue_ids), venues),
      organizers: pick(idsOf(row.organizer_ids), organizers),
      categories: byName(pick(idsOf(row.term_ids), categories)),
      tags: byName(pick(idsOf(row.term_ids), tags)),
      imageOf,
    });
    return new Map(rows.map((row) => [row.id, linked(row)]));
  }
}

/** The latest change of an event or of what is shown with it (contract 5.2). */
export function latestChange(row: EventReadRow, { venues, organizers, categories, tags }: LinkedRecords): UtcTime {
  const times = [...venues, ...organizers, ...categories, ...tags].map(({ modified_utc }) => modified_utc);
  return times.reduce((latest, time) => (time > latest ? time : latest), row.modified_utc);
}

function allIds(rows: readonly EventReadRow[], column: 'venue_ids' | 'organizer_ids' | 'term_ids'): number[] {
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
