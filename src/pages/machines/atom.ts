import type { RequestContext } from '../../platform/http/request-context.js';
import { placeOf, type SpannedEvent } from '../calendar/event-facts.js';
import { listTime } from '../calendar/when.js';
import { pageHtml } from '../page-html.js';
import type { Frame } from '../views/frame.js';
import { element, xmlDocument } from './xml.js';

/** The feed of a calendar without events: no wall clock, so that the feed keeps its ETag (pages P7). */
const NEVER = '1970-01-01 00:00:00';

/** What the feed says of itself. */
export interface FeedAddresses {
  readonly self: string;
  readonly home: string;
  readonly title: string;
}

/** Returns an Atom feed (RFC 4287) of events, newest publication first. */
export function atomFeed(
  events: readonly SpannedEvent[],
  at: FeedAddresses,
  frame: Frame,
  { site }: RequestContext,
): string {
  const updated = events.reduce((latest, { modified_utc }) => (modified_utc > latest ? modified_utc : latest), '');
  return xmlDocument(
    element(
      'feed',
      { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': frame.words.language },
      element('id', {}, { text: `urn:kalends:${site.instance}:events` }),
      element('title', {}, { text: at.title }),
      element('updated', {}, { text: timestamp(updated || NEVER) }),
      element('author', {}, element('name', {}, { text: frame.siteName })),
      element('link', { rel: 'self', type: 'application/atom+xml', href: at.self }),
      element('link', { rel: 'alternate', type: 'text/html', href: at.home }),
      ...events.map((event) => entry(event, frame, site.instance)),
    ),
  );
}

function entry(event: SpannedEvent, frame: Frame, instance: string): string {
  const isProtected = event.all_day === null;
  const html = isProtected ? '' : pageHtml(event.description, frame.words.of('table'));
  return element(
    'entry',
    {},
    // A host may change; an id must not.
    element('id', {}, { text: `urn:kalends:${instance}:event:${event.id}` }),
    element('title', {}, { text: event.title }),
    element('link', { rel: 'alternate', type: 'text/html', href: event.url }),
    element('published', {}, { text: timestamp(event.date_utc) }),
    element('updated', {}, { text: timestamp(event.modified_utc) }),
    ...event.categories.map(({ slug, name }) => element('category', { term: slug, label: name })),
    element('summary', {}, { text: summary(event, frame) }),
    ...(html === '' ? [] : [element('content', { type: 'html' }, { text: html })]),
  );
}

/** Fri 11 Dec 2026, 19:30–22:00, Blue Room, Lyon */
function summary(event: SpannedEvent, { formats, words, siteZone }: Frame): string {
  const { text } = listTime(event, formats, words.times, { siteZone });
  return [formats.date(event.firstDay, 'dated'), text, placeOf(event)].filter((part) => part !== '').join(', ');
}

function timestamp(utc: string): string {
  return `${utc.replace(' ', 'T')}Z`;
}
