import type { Capability } from '../kernel/capability.js';
import type { ErrorCode } from '../errors/error-catalogue.js';

/** What tells categories and tags apart where they are treated alike. */
export interface TermKind {
  /** In the change record: `category.created`. */
  readonly noun: string;
  readonly taxonomy: string;
  /** In addresses and envelopes; an event's field of this name holds its terms. */
  readonly collection: string;
  /** The path of the human address: `/tag/{slug}/`. */
  readonly page: string;
  /** Who may create, update and delete. */
  readonly capability: Capability;
  readonly notFound: ErrorCode;
  /** Among which terms a name is used once, as term_exists says it. */
  readonly namesakes: 'with this parent' | 'in this taxonomy';
  readonly hasChildren: boolean;
}
