import type { ErrorCode } from '../platform/errors/error-catalogue.js';

/** What tells events, venues and organizers apart where they are treated alike. */
export interface PostKind {
  /** In the change record (`venue.created`) and in the human address (`/venue/{slug}/`). */
  readonly noun: 'event' | 'venue' | 'organizer';
  readonly table: string;
  readonly collection: string;
  readonly errors: {
    readonly notFound: ErrorCode;
    readonly notAccessible: ErrorCode;
    /** A trashed record, read without the right to. */
    readonly trashed: ErrorCode;
    readonly alreadyTrashed: ErrorCode;
    readonly pageNotFound: ErrorCode;
  };
}
