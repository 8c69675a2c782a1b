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
import { ORGANIZER_EXAMPLES, OrganizerDto } from './organizer.dto.js';
import { OrganizerResponse } from './organizer.response.js';
import { OrganizersService } from './organizers.service.js';

@ResourceController('organizers', 'Organizers')
export class OrganizersController {
  constructor(private readonly organizers: OrganizersService) {}

  @Lists({ id: 'listOrganizers', summary: 'List organizers', accepts: LinkedPostParams, answers: OrganizerResponse })
  list(@Input() input: Input<LinkedPostParams>, @Context() context: RequestContext): Promise<Reply> {
    return this.organizers.list(input, context);
  }

  @Creates({
    id: 'createOrganizer',
    summary: 'Create an organizer',
    description: CREATE_OR_REUSE,
    accepts: OrganizerDto,
    answers: OrganizerResponse,
    examples: ORGANIZER_EXAMPLES.create,
  })
  create(@Input() input: Input<OrganizerDto>, @Context() context: RequestContext): Promise<WrittenReply> {
    return this.organizers.create(input, context);
  }

  @Reads(':id', { id: 'getOrganizer', summary: 'Read an organizer', answers: OrganizerResponse })
  readById(@IdParam() id: number, @Context() context: RequestContext): Promise<Reply> {
    return this.organizers.read(byId(id), context);
  }

  @Updates(':id', {
    id: 'updateOrganizer',
    summary: 'Update an organizer',
    accepts: OrganizerDto,
    answers: OrganizerResponse,
    examples: ORGANIZER_EXAMPLES.update,
  })
  updateById(
    @IdParam() id: number,
    @Input() input: Input<OrganizerDto>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.organizers.update(byId(id), input, context);
  }

  @Deletes(':id', {
    id: 'deleteOrganizer',
    summary: 'Delete an organizer',
    accepts: PostDeletion,
    answers: OrganizerResponse,
  })
  removeById(
    @IdParam() id: number,
    @Input() input: Input<PostDeletion>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.organizers.remove(byId(id), input, context);
  }

  @Reads('by-slug/:slug', {
    id: 'getOrganizerBySlug',
    summary: 'Read an organizer by slug',
    answers: OrganizerResponse,
  })
  readBySlug(@SlugParam() slug: string, @Context() context: RequestContext): Promise<Reply> {
    return this.organizers.read(bySlug(slug), context);
  }

  @Updates('by-slug/:slug', {
    id: 'updateOrganizerBySlug',
    summary: 'Update an organizer by slug',
    accepts: OrganizerDto,
    answers: OrganizerResponse,
    examples: ORGANIZER_EXAMPLES.update,
  })
  updateBySlug(
    @SlugParam() slug: string,
    @Input() input: Input<OrganizerDto>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.organizers.update(bySlug(slug), input, context);
  }

  @Deletes('by-slug/:slug', {
    id: 'deleteOrganizerBySlug',
    summary: 'Delete an organizer by slug',
    accepts: PostDeletion,
    answers: OrganizerResponse,
  })
  removeBySlug(
    @SlugParam() slug: string,
    @Input() input: Input<PostDeletion>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.organizers.remove(bySlug(slug), input, context);
  }
}
