import { dateDetails } from '../kernel/time/calendar-time.js';
import { presentCost } from '../kernel/cost.js';
import { timeZoneAbbreviation } from '../kernel/time/time-zone.js';
import { organizerJsonLd } from '../organizers/organizer.presenter.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { presentImage } from '../platform/images/image.presenter.js';
import { presentGlobalId, presentPost } from '../posts/post.presenter.js';
import { presentTerm } from '../terms/term.presenter.js';
import { venueJsonLd } from '../venues/venue.presenter.js';
import { eventJsonLd } from './views/json-ld.js';
import { EVENT } from './event.kind.js';
import {
  byName,
  byTermName,
  LINKED,
  type LinkedName,
  type LinkedRecords,
  type LinkedResponse,
} from './event.link-kinds.js';
import type { EventReadRow } from './event.query.js';
import type { EventLinkedData, EventResponse } from './event.response.js';
import { storedCost } from './event.values.js';

/** The members in a response: all with `json_ld`, all, or blanked because of a password (contract 7.3). */
export type EventView = 'single' | 'full' | 'blanked';

export function presentEvent(
  row: EventReadRow,
  linked: LinkedRecords,
  context: RequestContext,
  view: EventView,
): EventResponse {
  return {
    id: row.id,
    ...presentGlobalId(row.id, EVENT, context),
    ...presentPost(row, EVENT, context),
    rest_url: context.urls.record(EVENT.collection, row.id),
    title: row.title,
    description: row.description,
    excerpt: row.excerpt,
    slug: row.slug,
    image: presentImage(row) ?? (false as const),
    all_day: row.all_day === 1,
    ...presentTimes(row),
    ...presentCost(storedCost(row), context.site.currency),
    website: row.website,
    show_map: row.show_map === 1,
    show_map_link: row.show_map_link === 1,
    hide_from_listings: row.hide_from_listings === 1,
    sticky: row.sticky === 1,
    featured: row.featured === 1,
    ...presentLinks(linked, context, view),
    custom_fields: [],
    ...(view === 'single' ? { json_ld: jsonLd(row, linked, context) } : {}),
    ticketed: row.ticketed === 1,
    post_parent: row.post_parent,
    ...(view === 'blanked' ? BLANKED : {}),
  };
}

/** The members that a list blanks for protected events. */
const BLANKED = {
  description: '',
  excerpt: '',
  cost: '',
  website: '',
  image: false as const,
  all_day: null,
  show_map: null,
  show_map_link: null,
  hide_from_listings: null,
  sticky: null,
  featured: null,
  ticketed: null,
  cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
  ...byTermName(() => []),
  ...byName(() => []),
  custom_fields: [],
};

function presentTimes(row: EventReadRow) {
  return {
    start_date: row.start_local,
    start_date_details: dateDetails(row.start_local),
    end_date: row.end_local,
    end_date_details: dateDetails(row.end_local),
    utc_start_date: row.start_utc,
    utc_start_date_details: dateDetails(row.start_utc),
    utc_end_date: row.end_utc,
    utc_end_date_details: dateDetails(row.end_utc),
    timezone: row.timezone,
    timezone_abbr: timeZoneAbbreviation(row.timezone, row.start_utc),
  };
}

/** `venue` is a list if there is none, an object for one, a list for several. Others are always lists (contract 10.3). */
function presentLinks(linked: LinkedRecords, context: RequestContext, view: EventView) {
  const options = { jsonLd: view === 'single' };
  // `as never`: TypeScript does not see that rows and presenter belong to the same kind.
  const shown = byName((name) => {
    return linked.posts[name].map((row) => LINKED[name].present(row as never, context, options));
  }) as { [Name in LinkedName]: LinkedResponse<Name>[] };
  const [venue] = shown.venue;
  return {
    ...byTermName((name) => linked[name].map((term) => presentTerm(term, context.urls))),
    ...shown,
    venue: shown.venue.length === 1 && venue !== undefined ? venue : shown.venue,
  };
}

function jsonLd(row: EventReadRow, { posts }: LinkedRecords, context: RequestContext): EventLinkedData {
  const [venue] = posts.venue;
  const [organizer] = posts.organizer;
  const linked = {
    location: venue && venueJsonLd(venue, context),
    organizer: organizer && organizerJsonLd(organizer),
  };
  return eventJsonLd(row, linked, context);
}
