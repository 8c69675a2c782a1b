import type { ErrorCode } from '../errors/error-catalogue.js';

/** The differences between events, venues and organizers for code that they share. */
export interface PostKind {
  /** Used in the change record (`venue.created`) and in page URLs (`/venue/{slug}/`). */
  readonly noun: string;
  readonly table: string;
  readonly collection: string;
  readonly errors: {
    readonly notFound: ErrorCode;
    readonly notAccessible: ErrorCode;
    /** The error for a trashed record that the caller may not read. */
    readonly trashed: ErrorCode;
    readonly alreadyTrashed: ErrorCode;
    readonly pageNotFound: ErrorCode;
  };
}

/** Returns the kind of a noun, which gives the names of table, collection and errors. */
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
