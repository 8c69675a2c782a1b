import type { PostStatus } from '../kernel/post-status.js';

/** What an export reads. Flags are 0 or 1; slugs are those outside the trash. */
export interface TermExport {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly parent_slug: string | null;
}

export interface PostExport {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  /** In the trash another one than `slug`, which others may have by now; no two records of a kind have the same. */
  readonly stored_slug: string;
  readonly status: PostStatus;
  readonly date_utc: string;
  readonly description: string;
  /** null: the author is no user any more. */
  readonly author_login: string | null;
  readonly image: string | null;
}

export interface LinkExport {
  readonly venues: readonly { readonly slug: string; readonly name: string }[];
  readonly organizers: readonly { readonly slug: string; readonly name: string }[];
  readonly categories: readonly { readonly slug: string }[];
  readonly tags: readonly { readonly slug: string }[];
  /** What its links to records in the trash lead to: `venue town-hall`. */
  readonly lost: readonly string[];
}

/** The columns of fields that are carried as they are come besides (carried-fields.ts). */
export interface EventExport extends PostExport, LinkExport {
  readonly start_local: string;
  readonly end_local: string;
  readonly start_utc: string;
  readonly end_utc: string;
  readonly timezone: string;
  readonly cost: string;
  readonly password_hash: string | null;
  /** The stored one. */
  readonly parent_slug: string | null;
  readonly children: number;
  /** Of the imported line that made the event. */
  readonly line_key: string | null;
}
