import { byId, bySlug } from '../kernel/id-or-slug.js';
import type { Reply, WrittenReply } from '../platform/http/reply.js';
import { Context, IdParam, SlugParam } from '../platform/http/param-decorators.js';
import { Input } from '../platform/http/fields/input.js';
import {
  Creates,
  Deletes,
  Lists,
  Reads,
  ResourceController,
  Updates,
} from '../platform/http/routing/route-decorators.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { EVENT_TEXTS } from './event.texts.js';
import { EVENT_EXAMPLES, EventByIdDto, EventDeleteParams, EventDto, EventReadParams } from './event.dto.js';
import { EventParams } from './event.params.js';
import { EventPageResponse, EventResponse } from './event.response.js';
import { PostDeletion } from '../posts/post.dto.js';
import { EventsService } from './events.service.js';

@ResourceController('events', 'Events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Lists({
    id: 'listEvents',
    summary: 'List events',
    description: EVENT_TEXTS.list,
    accepts: EventParams,
    answers: EventPageResponse,
  })
  list(@Input() input: Input<EventParams>, @Context() context: RequestContext): Promise<Reply> {
    return this.events.list(input, context);
  }

  @Creates({
    id: 'createEvent',
    summary: 'Create an event',
    description: EVENT_TEXTS.create,
    accepts: EventDto,
    answers: EventResponse,
    examples: EVENT_EXAMPLES.create,
  })
  create(@Input() input: Input<EventDto>, @Context() context: RequestContext): Promise<WrittenReply> {
    return this.events.create(input, context);
  }

  @Reads(':id', {
    id: 'getEvent',
    summary: 'Read an event',
    description: EVENT_TEXTS.read,
    accepts: EventReadParams,
    answers: EventResponse,
  })
  readById(
    @IdParam() id: number,
    @Input() input: Input<EventReadParams>,
    @Context() context: RequestContext,
  ): Promise<Reply> {
    return this.events.read(byId(id), input, context);
  }

  @Reads('by-slug/:slug', { id: 'getEventBySlug', summary: 'Read an event by slug', answers: EventResponse })
  readBySlug(
    @SlugParam() slug: string,
    @Input() input: Input<EventReadParams>,
    @Context() context: RequestContext,
  ): Promise<Reply> {
    return this.events.read(bySlug(slug), input, context);
  }

  @Updates(':id', {
    id: 'updateEvent',
    summary: 'Update an event',
    description: EVENT_TEXTS.update,
    accepts: EventByIdDto,
    answers: EventResponse,
    examples: EVENT_EXAMPLES.update,
  })
  updateById(
    @IdParam() id: number,
    @Input() input: Input<EventByIdDto>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.events.update(byId(id), input, context);
  }

  @Updates('by-slug/:slug', {
    id: 'updateEventBySlug',
    summary: 'Update an event by slug',
    description: EVENT_TEXTS.update,
    accepts: EventDto,
    answers: EventResponse,
    examples: EVENT_EXAMPLES.update,
  })
  updateBySlug(
    @SlugParam() slug: string,
    @Input() input: Input<EventDto>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.events.update(bySlug(slug), input, context);
  }

  @Deletes(':id', { id: 'deleteEvent', summary: 'Delete an event', accepts: EventDeleteParams, answers: EventResponse })
  removeById(
    @IdParam() id: number,
    @Input() input: Input<EventDeleteParams>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.events.remove(byId(id), input, context);
  }

  @Deletes('by-slug/:slug', {
    id: 'deleteEventBySlug',
    summary: 'Delete an event by slug',
    accepts: PostDeletion,
    answers: EventResponse,
  })
  removeBySlug(
    @SlugParam() slug: string,
    @Input() input: Input<EventDeleteParams>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.events.remove(bySlug(slug), input, context);
  }
}
