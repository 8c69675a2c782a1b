import { Injectable } from '@nestjs/common';
import { CATEGORY } from '../categories/category.kind.js';
import type { LinkedPostRow } from '../linked-posts/linked-post.entity.js';
import { PostLinks } from '../linked-posts/linked-post.resolve.js';
import { ORGANIZER } from '../organizers/organizer.kind.js';
import { presentOrganizer } from '../organizers/organizer.presenter.js';
import { ImagesService } from '../platform/images/images.service.js';
import { TAG } from '../tags/tag.kind.js';
import type { TermRecord } from '../terms/term.query.js';
import { TermLinks } from '../terms/term.resolve.js';
import { VENUE } from '../venues/venue.kind.js';
import { presentVenue } from '../venues/venue.presenter.js';

/** The term kinds of events by field name. Filters, reads and writes iterate over this list. */
export const TERMS = { categories: CATEGORY, tags: TAG } as const;

export type TermName = keyof typeof TERMS;
export const TERM_NAMES = Object.keys(TERMS) as TermName[];

export function isTermName(name: LinkedName | TermName): name is TermName {
  return Object.hasOwn(TERMS, name);
}

/** The linked-post kinds of events by field name. */
export const LINKED = {
  venue: { kind: VENUE, present: presentVenue },
  organizer: { kind: ORGANIZER, present: presentOrganizer },
} as const;

export type LinkedName = keyof typeof LINKED;
export const LINKED_NAMES = Object.keys(LINKED) as LinkedName[];

/** The row that the presenter of a linked record takes. */
type LinkedRow<Name extends LinkedName> = Parameters<(typeof LINKED)[Name]['present']>[0];
export type LinkedResponse<Name extends LinkedName> = ReturnType<(typeof LINKED)[Name]['present']>;

/** One value for each kind of linked record. */
export type ByName<Value> = Record<LinkedName, Value>;
export type ByTermName<Value> = Record<TermName, Value>;

export function byName<Value>(valueOf: (name: LinkedName) => Value): ByName<Value> {
  const values: Partial<ByName<Value>> = {};
  // Not `Object.fromEntries`, which is slow, because this is called for each event of a load.
  for (const name of LINKED_NAMES) values[name] = valueOf(name);
  return values as ByName<Value>;
}

export function byTermName<Value>(valueOf: (name: TermName) => Value): ByTermName<Value> {
  return Object.fromEntries(TERM_NAMES.map((name) => [name, valueOf(name)])) as ByTermName<Value>;
}

/** The linked records in a response: those that the caller may read, in the contract's order. */
export interface LinkedRecords extends ByTermName<readonly TermRecord[]> {
  readonly posts: { readonly [Name in LinkedName]: readonly LinkedRow<Name>[] };
}

/** The ids of linked records, in the order given. undefined: the field was not sent and does not change. */
export type EventLinkIds = Readonly<Partial<Record<LinkedName | TermName, readonly number[]>>>;

/** The operations on linked records and terms, one object for each kind. */
@Injectable()
export class EventLinkKinds {
  readonly links: ByName<PostLinks<LinkedPostRow>>;
  readonly terms = byTermName((name) => new TermLinks(TERMS[name]));

  constructor(images: ImagesService) {
    this.links = byName((name) => new PostLinks(images, LINKED[name].kind));
  }
}
