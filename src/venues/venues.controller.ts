import { byId, bySlug } from '../kernel/id-or-slug.js';
import { CREATE_OR_REUSE, LinkedPostParams } from '../linked-posts/linked-post.params.js';
import { PostDeletion } from '../posts/post.dto.js';
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
import { VENUE_EXAMPLES, VenueDto } from './venue.dto.js';
import { VenueResponse } from './venue.response.js';
import { VenuesService } from './venues.service.js';

@ResourceController('venues', 'Venues')
export class VenuesController {
  constructor(private readonly venues: VenuesService) {}

  @Lists({ id: 'listVenues', summary: 'List venues', accepts: LinkedPostParams, answers: VenueResponse })
  list(@Input() input: Input<LinkedPostParams>, @Context() context: RequestContext): Promise<Reply> {
    return this.venues.list(input, context);
  }

  @Creates({
    id: 'createVenue',
    summary: 'Create a venue',
    description: CREATE_OR_REUSE,
    accepts: VenueDto,
    answers: VenueResponse,
    examples: VENUE_EXAMPLES.create,
  })
  create(@Input() input: Input<VenueDto>, @Context() context: RequestContext): Promise<WrittenReply> {
    return this.venues.create(input, context);
  }

  @Reads(':id', { id: 'getVenue', summary: 'Read a venue', answers: VenueResponse })
  readById(@IdParam() id: number, @Context() context: RequestContext): Promise<Reply> {
    return this.venues.read(byId(id), context);
  }

  @Updates(':id', {
    id: 'updateVenue',
    summary: 'Update a venue',
    accepts: VenueDto,
    answers: VenueResponse,
    examples: VENUE_EXAMPLES.update,
  })
  updateById(
    @IdParam() id: number,
    @Input() input: Input<VenueDto>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.venues.update(byId(id), input, context);
  }

  @Deletes(':id', { id: 'deleteVenue', summary: 'Delete a venue', accepts: PostDeletion, answers: VenueResponse })
  removeById(
    @IdParam() id: number,
    @Input() input: Input<PostDeletion>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.venues.remove(byId(id), input, context);
  }

  @Reads('by-slug/:slug', { id: 'getVenueBySlug', summary: 'Read a venue by slug', answers: VenueResponse })
  readBySlug(@SlugParam() slug: string, @Context() context: RequestContext): Promise<Reply> {
    return this.venues.read(bySlug(slug), context);
  }

  @Updates('by-slug/:slug', {
    id: 'updateVenueBySlug',
    summary: 'Update a venue by slug',
    accepts: VenueDto,
    answers: VenueResponse,
    examples: VENUE_EXAMPLES.update,
  })
  updateBySlug(
    @SlugParam() slug: string,
    @Input() input: Input<VenueDto>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.venues.update(bySlug(slug), input, context);
  }

  @Deletes('by-slug/:slug', {
    id: 'deleteVenueBySlug',
    summary: 'Delete a venue by slug',
    accepts: PostDeletion,
    answers: VenueResponse,
  })
  removeBySlug(
    @SlugParam() slug: string,
    @Input() input: Input<PostDeletion>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.venues.remove(bySlug(slug), input, context);
  }
}
