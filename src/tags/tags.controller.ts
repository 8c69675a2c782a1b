import type { Reply, WrittenReply } from '../platform/http/reply.js';
import { Context, IdParam } from '../platform/http/param-decorators.js';
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
import { TermDeletion } from '../terms/term.dto.js';
import { TermResponse } from '../terms/term.response.js';
import { TERM_TEXTS } from '../terms/term.texts.js';
import { TagsService } from './tags.service.js';
import { TAG_EXAMPLES, TagDto, TagParams } from './tag.dto.js';

@ResourceController('tags', 'Tags')
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  @Lists({
    id: 'listTags',
    summary: 'List tags',
    description: TERM_TEXTS.list,
    accepts: TagParams,
    answers: TermResponse,
  })
  list(@Input() input: Input<TagParams>, @Context() context: RequestContext): Promise<Reply> {
    return this.tags.list(input, context);
  }

  @Creates({
    id: 'createTag',
    summary: 'Create a tag',
    description: TERM_TEXTS.create,
    accepts: TagDto,
    answers: TermResponse,
    examples: TAG_EXAMPLES.create,
  })
  create(@Input() input: Input<TagDto>, @Context() context: RequestContext): Promise<WrittenReply> {
    return this.tags.create(input, context);
  }

  @Reads(':id', {
    id: 'getTag',
    summary: 'Read a tag',
    description: TERM_TEXTS.read,
    answers: TermResponse,
  })
  read(@IdParam() id: number, @Context() context: RequestContext): Promise<Reply> {
    return this.tags.read(id, context);
  }

  @Updates(':id', {
    id: 'updateTag',
    summary: 'Update a tag',
    accepts: TagDto,
    answers: TermResponse,
    examples: TAG_EXAMPLES.update,
  })
  update(
    @IdParam() id: number,
    @Input() input: Input<TagDto>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.tags.update(id, input, context);
  }

  @Deletes(':id', {
    id: 'deleteTag',
    summary: 'Delete a tag',
    description: TERM_TEXTS.delete,
    accepts: TermDeletion,
    answers: TermResponse,
  })
  remove(
    @IdParam() id: number,
    @Input() input: Input<TermDeletion>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.tags.remove(id, input, context);
  }
}
