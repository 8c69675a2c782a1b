import { Injectable } from '@nestjs/common';
import type { LinkedPostRow } from '../linked-posts/linked-post.entity.js';
import { PostLinks } from '../linked-posts/linked-post.resolve.js';
import { ORGANIZER } from '../organizers/organizer.kind.js';
import { presentOrganizer } from '../organizers/organizer.presenter.js';
import { ImagesService } from '../platform/images/images.service.js';
import type { TermRecord } from '../terms/term.query.js';
import { VENUE } from '../venues/venue.kind.js';
import { presentVenue } from '../venues/venue.presenter.js';

/** What events are linked to besides terms, by the field that names it: filters, reads and writes walk this list. */
export const LINKED = {
  venue: { kind: VENUE, present: presentVenue },
  organizer: { kind: ORGANIZER, present: presentOrganizer },
} as const;

export type LinkedName = keyof typeof LINKED;
export const LINKED_NAMES = Object.keys(LINKED) as LinkedName[];

/** The row of a linked record, as its presenter takes it. */
type LinkedRow<Name extends LinkedName> = Parameters<(typeof LINKED)[Name]['present']>[0];
export type LinkedResponse<Name extends LinkedName> = ReturnType<(typeof LINKED)[Name]['present']>;

/** Something for each kind of linked record. */
export type ByName<Value> = Record<LinkedName, Value>;

export function byName<Value>(valueOf: (name: LinkedName) => Value): ByName<Value> {
  return Object.fromEntries(LINKED_NAMES.map((name) => [name, valueOf(name)])) as ByName<Value>;
}

/** The records an event is shown with: those the caller may read, in the contract's order. */
export interface LinkedRecords {
  readonly posts: { readonly [Name in LinkedName]: readonly LinkedRow<Name>[] };
  readonly categories: readonly TermRecord[];
  readonly tags: readonly TermRecord[];
}

/** What an event is linked to: ids, in the order given. Undefined: not sent, nothing changes. */
export interface EventLinkIds extends Partial<ByName<readonly number[]>> {
  readonly categories?: readonly number[];
  readonly tags?: readonly number[];
}

/** What is done for events with the records of each kind. */
@Injectable()
export class EventLinkKinds {
  readonly links: ByName<PostLinks<LinkedPostRow>>;

  constructor(images: ImagesService) {
    this.links = byName((name) => new PostLinks(images, LINKED[name].kind));
  }
}
