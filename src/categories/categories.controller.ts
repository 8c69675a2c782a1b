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
import { CategoriesService } from './categories.service.js';
import { CATEGORY_EXAMPLES, CategoryDto, CategoryParams } from './category.dto.js';

@ResourceController('categories', 'Categories')
export class CategoriesController {
  constructor(private readonly categories: CategoriesService) {}

  @Lists({
    id: 'listCategories',
    summary: 'List categories',
    description: TERM_TEXTS.list,
    accepts: CategoryParams,
    answers: TermResponse,
  })
  list(@Input() input: Input<CategoryParams>, @Context() context: RequestContext): Promise<Reply> {
    return this.categories.list(input, context);
  }

  @Creates({
    id: 'createCategory',
    summary: 'Create a category',
    description: TERM_TEXTS.create,
    accepts: CategoryDto,
    answers: TermResponse,
    examples: CATEGORY_EXAMPLES.create,
  })
  create(@Input() input: Input<CategoryDto>, @Context() context: RequestContext): Promise<WrittenReply> {
    return this.categories.create(input, context);
  }

  @Reads(':id', {
    id: 'getCategory',
    summary: 'Read a category',
    description: TERM_TEXTS.read,
    answers: TermResponse,
  })
  read(@IdParam() id: number, @Context() context: RequestContext): Promise<Reply> {
    return this.categories.read(id, context);
  }

  @Updates(':id', {
    id: 'updateCategory',
    summary: 'Update a category',
    accepts: CategoryDto,
    answers: TermResponse,
    examples: CATEGORY_EXAMPLES.update,
  })
  update(
    @IdParam() id: number,
    @Input() input: Input<CategoryDto>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.categories.update(id, input, context);
  }

  @Deletes(':id', {
    id: 'deleteCategory',
    summary: 'Delete a category',
    description: TERM_TEXTS.deleteWithChildren,
    accepts: TermDeletion,
    answers: TermResponse,
  })
  remove(
    @IdParam() id: number,
    @Input() input: Input<TermDeletion>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.categories.remove(id, input, context);
  }
}
