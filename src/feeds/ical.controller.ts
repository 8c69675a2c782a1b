import { Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { EventReadParams } from '../events/event.dto.js';
import { EventFeedParams } from '../events/event.params.js';
import { byId, bySlug } from '../kernel/id-or-slug.js';
import { Input } from '../platform/http/fields/input.js';
import { Context, IdParam, SlugParam } from '../platform/http/param-decorators.js';
import type { Reply } from '../platform/http/reply.js';
import type { KalendsRequest } from '../platform/http/request.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { CHUNK_BYTES } from '../platform/http/responses/content.js';
import { Reads, ResourceController } from '../platform/http/routing/route-decorators.js';
import { IcalService } from './ical.service.js';

const mediaType = 'text/calendar';

@ResourceController('', 'Events')
export class IcalController {
  constructor(private readonly calendars: IcalService) {}

  @Reads('events.ics', {
    id: 'getEventsFeed',
    summary: 'Subscribe to events in a calendar program (iCalendar)',
    accepts: EventFeedParams,
    mediaType,
  })
  feed(
    @Input() input: Input<EventFeedParams>,
    @Context() context: RequestContext,
    @Req() request: KalendsRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Reply> {
    const reserve = (characters: number) => {
      if (characters >= CHUNK_BYTES) request.responsesInFlight.reserve(request, response, characters);
    };
    return this.calendars.feed(input, context, reserve);
  }

  @Reads('events/:id.ics', {
    id: 'getEventFeed',
    summary: 'Read an event as an iCalendar file',
    accepts: EventReadParams,
    mediaType,
  })
  readById(
    @IdParam() id: number,
    @Input() input: Input<EventReadParams>,
    @Context() context: RequestContext,
  ): Promise<Reply> {
    return this.calendars.single(byId(id), input, context);
  }

  @Reads('events/by-slug/:slug.ics', {
    id: 'getEventFeedBySlug',
    summary: 'Read an event by slug as an iCalendar file',
    mediaType,
  })
  readBySlug(
    @SlugParam() slug: string,
    @Input() input: Input<EventReadParams>,
    @Context() context: RequestContext,
  ): Promise<Reply> {
    return this.calendars.single(bySlug(slug), input, context);
  }
}
