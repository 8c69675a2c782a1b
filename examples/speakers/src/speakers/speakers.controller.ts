import { byId, bySlug } from '../kernel/id-or-slug.js';
import { PostDeletion } from '../posts/post.dto.js';
import type { Reply, WrittenReply } from '../platform/http/reply.js';
import { Context, IdParam, SlugParam } from '../platform/http/param-decorators.js';
import { Input } from '../platform/http/fields/input.js';
import {
  Creates,
  Deletes,
  Lists,
  Reads,
  Updates,
  ResourceController,
} from '../platform/http/routing/route-decorators.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { SpeakerDto, SpeakerParams } from './speaker.dto.js';
import { SpeakerResponse } from './speaker.response.js';
import { SpeakersService } from './speakers.service.js';

@ResourceController('speakers', 'Speakers')
export class SpeakersController {
  constructor(private readonly speakers: SpeakersService) {}

  @Lists({ id: 'listSpeakers', summary: 'List speakers', accepts: SpeakerParams, answers: SpeakerResponse })
  list(@Input() input: Input<SpeakerParams>, @Context() context: RequestContext): Promise<Reply> {
    return this.speakers.list(input, context);
  }

  @Creates({ id: 'createSpeaker', summary: 'Create a speaker', accepts: SpeakerDto, answers: SpeakerResponse })
  create(@Input() input: Input<SpeakerDto>, @Context() context: RequestContext): Promise<WrittenReply> {
    return this.speakers.create(input, context);
  }

  @Reads(':id', { id: 'getSpeaker', summary: 'Read a speaker', answers: SpeakerResponse })
  readById(@IdParam() id: number, @Context() context: RequestContext): Promise<Reply> {
    return this.speakers.read(byId(id), context);
  }

  @Updates(':id', {
    id: 'updateSpeaker',
    summary: 'Update a speaker',
    accepts: SpeakerDto,
    answers: SpeakerResponse,
  })
  updateById(
    @IdParam() id: number,
    @Input() input: Input<SpeakerDto>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.speakers.update(byId(id), input, context);
  }

  @Deletes(':id', {
    id: 'deleteSpeaker',
    summary: 'Delete a speaker',
    accepts: PostDeletion,
    answers: SpeakerResponse,
  })
  removeById(
    @IdParam() id: number,
    @Input() input: Input<PostDeletion>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.speakers.remove(byId(id), input, context);
  }

  @Reads('by-slug/:slug', {
    id: 'getSpeakerBySlug',
    summary: 'Read a speaker by slug',
    answers: SpeakerResponse,
  })
  readBySlug(@SlugParam() slug: string, @Context() context: RequestContext): Promise<Reply> {
    return this.speakers.read(bySlug(slug), context);
  }

  @Updates('by-slug/:slug', {
    id: 'updateSpeakerBySlug',
    summary: 'Update a speaker by slug',
    accepts: SpeakerDto,
    answers: SpeakerResponse,
  })
  updateBySlug(
    @SlugParam() slug: string,
    @Input() input: Input<SpeakerDto>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.speakers.update(bySlug(slug), input, context);
  }

  @Deletes('by-slug/:slug', {
    id: 'deleteSpeakerBySlug',
    summary: 'Delete a speaker by slug',
    accepts: PostDeletion,
    answers: SpeakerResponse,
  })
  removeBySlug(
    @SlugParam() slug: string,
    @Input() input: Input<PostDeletion>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.speakers.remove(bySlug(slug), input, context);
  }
}
