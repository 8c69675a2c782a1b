import { Injectable } from '@nestjs/common';
import { apiError } from '../errors/api-error.js';
import { textOfHtml } from '../kernel/text/html.js';
import type { Reply } from '../platform/http/reply.js';
import { CalendarReader } from './calendar.reader.js';
import { pathOf, type SpannedEvent } from './calendar/event-facts.js';
import { addToCalendar } from './machines/add-to-calendar.js';
import { eventLinkedData } from './machines/json-ld.js';
import { pageHtml, shortText } from './page-html.js';
import { pageReply, privateReply } from './page.reply.js';
import type { Visit } from './visit.js';
import { EventPage } from './views/event/event.js';
import type { EventContent } from './views/event/event-content.js';
import type { PageHead } from './views/frame.js';

/** Larger bodies are no password. */
const MAX_BODY_BYTES = 4096;

/** The page of an event, and the form for its password. */
@Injectable()
export class EventPages {
  constructor(private readonly reader: CalendarReader) {}

  /** A password comes in the body only: never in an address, which logs and histories keep (pages P4.6). */
  async show(visit: Visit): Promise<Reply> {
    const { frame, context, params, request } = visit;
    const isForm = request.method === 'POST';
    const password = isForm ? passwordOf(request.bodyValues, request.rawBody) : undefined;
    const { event, isOpen, neighbours, hasChildren } = await this.reader.event(params.slug ?? '', password, context);
    const text = textOfHtml(event.description);
    const isOver = event.utc_end_date <= context.nowUtc;
    const content = {
      event,
      isOver,
      neighbours,
      html: event.description === '' ? '' : pageHtml(event.description, frame.words.of('table')),
      add: addToCalendar(event, text, context.urls),
      ...(isOpen ? await this.family(visit, event, hasChildren) : { parent: undefined, children: [] }),
    };
    if (!isOpen) return this.locked(visit, content, isForm);
    const head = headOf(visit, event, text);
    const view = <EventPage frame={frame} head={isForm ? { ...head, isIndexed: false } : head} content={content} />;
    if (isForm) return privateReply(view, 200);
    return pageReply(view, context, isOver ? {} : { until: event.utc_end_date });
  }

  private locked({ frame }: Visit, content: Omit<EventContent, 'locked'>, isWrong: boolean): Reply {
    const { event } = content;
    const head = { title: event.title, canonical: event.url, isIndexed: false };
    const locked = { isWrong, action: frame.link(pathOf('event', event.slug)) };
    return privateReply(<EventPage frame={frame} head={head} content={{ ...content, locked }} />, 403);
  }

  /** Returns the parent and the children of an event that lists show. */
  private async family({ frame, context }: Visit, event: SpannedEvent, hasChildren: boolean) {
    const children = hasChildren ? (await this.reader.children(event, context)).events : [];
    const found = event.post_parent === 0 ? undefined : await this.reader.listedEvent(event.post_parent, context);
    const parent = found && { name: found.title, href: frame.link(pathOf('event', found.slug)) };
    return { parent, children };
  }
}

/** `text`: that of the description. */
function headOf({ frame, context }: Visit, event: SpannedEvent, text: string): PageHead {
  const description = shortText(event.excerpt === '' ? text : textOfHtml(event.excerpt));
  const file = `${context.urls.apiRoot}/events/by-slug/${encodeURIComponent(event.slug)}`;
  return {
    title: event.title,
    canonical: event.url,
    description,
    image: event.image === false ? undefined : event.image.url,
    isArticle: true,
    isIndexed: event.hide_from_listings !== true,
    linkedData: eventLinkedData(event, text, context.site.currency.code),
    alternates: [
      ...(frame.hasFeeds ? [{ type: 'text/calendar', href: `${file}.ics`, title: event.title }] : []),
      { type: 'application/json', href: event.rest_url },
    ],
  };
}

function passwordOf({ password }: Record<string, unknown>, body: Buffer | undefined): string {
  if (body !== undefined && body.length > MAX_BODY_BYTES) throw apiError('rest_body_too_large');
  return typeof password === 'string' ? password : '';
}
