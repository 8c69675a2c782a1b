import type { Capability } from '../kernel/capability.js';
import type { ErrorCode } from '../errors/error-catalogue.js';

/** The differences between categories and tags for code that they share. */
export interface TermKind {
  /** Used in the change record: `category.created`. */
  readonly noun: string;
  readonly taxonomy: string;
  /** Used in URLs and collections. The event field of this name contains its terms. */
  readonly collection: string;
  /** The path of page URLs: `/tag/{slug}/`. */
  readonly page: string;
  /** The capability to create, update and delete. */
  readonly capability: Capability;
  readonly notFound: ErrorCode;
  /** The scope in which names are unique, as in the message of term_exists. */
  readonly namesakes: 'with this parent' | 'in this taxonomy';
  readonly hasChildren: boolean;
}
