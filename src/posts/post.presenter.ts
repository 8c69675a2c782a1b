import { effectiveStatus } from '../kernel/post-status.js';
import { toWall } from '../kernel/time/calendar-time.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { PostRow } from './post.entity.js';
import type { PostKind } from './post.kind.js';

/** Returns the first members of events, venues and organizers, in the contract's order. */
export function presentPost(
  row: Omit<PostRow, 'title_key' | 'search_text'>,
  kind: PostKind,
  { nowUtc, site, urls }: RequestContext,
) {
  return {
    author: String(row.author_id),
    status: effectiveStatus(row.status, row.date_utc, nowUtc),
    date: toWall(row.date_utc, site.timeZone),
    date_utc: row.date_utc,
    modified: toWall(row.modified_utc, site.timeZone),
    modified_utc: row.modified_utc,
    url: urls.page(kind.noun, row.slug),
  };
}

export function presentGlobalId(id: number, { noun }: PostKind, { urls }: RequestContext) {
  const globalId = urls.globalId(noun, id);
  return { global_id: globalId, global_id_lineage: [globalId] };
}

type Filled<Members> = { [Name in keyof Members]?: NonNullable<Members[Name]> };

/** Removes empty members, which venues and organizers omit (contract 11.2, VO-20). */
export function filled<Members extends object>(members: Members): Filled<Members> {
  const kept = Object.entries(members).filter(([, value]) => value !== '' && value !== null && value !== undefined);
  return Object.fromEntries(kept) as Filled<Members>;
}
