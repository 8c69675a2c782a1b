import type { ErrorCode } from '../errors/error-catalogue.js';

/** What tells events, venues and organizers apart where they are treated alike. */
export interface PostKind {
  /** In the change record (`venue.created`) and in the human address (`/venue/{slug}/`). */
  readonly noun: string;
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

/** The kind of a noun: its table, its collection and its errors are named after it. */
export function postKind(noun: string): PostKind {
  return {
    noun,
    table: `${noun}s`,
    collection: `${noun}s`,
    errors: {
      notFound: `rest-${noun}-not-found`,
      notAccessible: `${noun}-not-accessible`,
      trashed: `${noun}-not-accessible`,
      alreadyTrashed: `${noun}-is-in-trash`,
      pageNotFound: `${noun}-archive-page-not-found`,
    },
  };
}
