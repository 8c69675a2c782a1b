import { Injectable } from '@nestjs/common';
import type { EventReadParams } from '../events/event.dto.js';
import type { EventFeedParams } from '../events/event.params.js';
import type { CalendarFeed } from '../events/event.response.js';
import { EventsService } from '../events/events.service.js';
import type { IdOrSlug } from '../kernel/id-or-slug.js';
import { icalLine, icalText } from '../kernel/text/ical-line.js';
import type { Input } from '../platform/http/fields/input.js';
import { NEVER_EXPIRES, type Reply, replyOf, type TextBody } from '../platform/http/reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { Metrics } from '../platform/observability/metrics.js';
import { CalendarWriter } from './calendar-writer.js';
import { PRODUCT } from './product.js';

/** The most characters of the events in a feed. Only thousands of very long descriptions reach it. */
const MAX_FEED_CHARACTERS = 32 * 1024 * 1024;

/** Makes iCalendar files (ical). */
@Injectable()
export class IcalService {
  constructor(
    private readonly events: EventsService,
    private readonly metrics: Metrics,
  ) {}

  /** Returns the feed of a filter. `onGrowth` learns how many characters are in memory. */
  async feed(
    input: Input<EventFeedParams>,
    context: RequestContext,
    onGrowth: (characters: number) => void,
  ): Promise<Reply> {
    const { maxEvents } = context.site.feed;
    const feed = await this.events.feed(input, context);
    const writer = new CalendarWriter(context);
    for await (const events of feed.batches) {
      await writer.add(events);
      onGrowth(writer.length);
      if (writer.length > MAX_FEED_CHARACTERS) break;
    }
    if (feed.total > maxEvents || writer.length > MAX_FEED_CHARACTERS) this.metrics.countTruncatedFeed();
    return replyOf({
      body: {},
      text: calendar(await writer.end([...PRODUCT, ...feedProperties(feed, context)])),
      expiresAt: feed.expiresAt,
      headers: {
        'Content-Disposition': 'inline; filename="events.ics"',
        'X-TEC-Total': String(feed.total),
        'X-TEC-PerPage': String(maxEvents),
      },
    });
  }

  /** Returns the file of one event. */
  async single(idOrSlug: IdOrSlug, input: Input<EventReadParams>, context: RequestContext): Promise<Reply> {
    const event = await this.events.calendarEvent(idOrSlug, input, context);
    const writer = new CalendarWriter(context);
    await writer.add([event]);
    return replyOf({
      body: {},
      text: calendar(await writer.end(PRODUCT)),
      revision: event.revision,
      modifiedUtc: event.changedUtc,
      expiresAt: NEVER_EXPIRES,
      headers: { 'Content-Disposition': attachment(event.shown.slug) },
    });
  }
}

function calendar(pieces: readonly string[]): TextBody {
  return { type: 'text/calendar; charset=UTF-8', pieces };
}

/** Returns the properties by which programs show a feed and ask for it again. */
function feedProperties({ subject, filters }: CalendarFeed, { site, urls }: RequestContext): string[] {
  const name = icalText(subject === undefined ? site.name : `${site.name} – ${subject}`);
  const isNamedZone = !/^UTC[+-]/.test(site.timeZone);
  return [
    icalLine('NAME', name),
    icalLine('X-WR-CALNAME', name),
    ...(isNamedZone ? [icalLine('X-WR-TIMEZONE', site.timeZone)] : []),
    icalLine('REFRESH-INTERVAL;VALUE=DURATION', site.feed.refresh),
    icalLine('X-PUBLISHED-TTL', site.feed.refresh),
    icalLine('SOURCE;VALUE=URI', urls.feed(filters)),
  ];
}

/** Returns the name of a file for programs that read ASCII only, and in full (RFC 6266). */
function attachment(slug: string): string {
  const ascii = slug.replace(/[^\w.-]/g, '_');
  const encoded = encodeURIComponent(slug).replace(/['()*]/g, (found) => `%${found.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}.ics"; filename*=UTF-8''${encoded}.ics`;
}
