import type { Reply } from '../platform/http/reply.js';
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
import { CategoriesService } from './categories.service.js';
import { CATEGORY_EXAMPLES, CategoryDto, CategoryParams } from './category.dto.js';

@ResourceController('categories', 'Categories')
export class CategoriesController {
  constructor(private readonly categories: CategoriesService) {}

  @Lists({ id: 'listCategories', summary: 'List categories', accepts: CategoryParams, answers: TermResponse })
  list(@Input() input: Input<CategoryParams>, @Context() context: RequestContext): Promise<Reply> {
    return this.categories.list(input, context);
  }

  @Creates({
    id: 'createCategory',
    summary: 'Create a category',
    accepts: CategoryDto,
    answers: TermResponse,
    examples: CATEGORY_EXAMPLES.create,
  })
  create(@Input() input: Input<CategoryDto>, @Context() context: RequestContext): Promise<Reply> {
    return this.categories.create(input, context);
  }

  @Reads(':id', { id: 'getCategory', summary: 'Read a category', answers: TermResponse })
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
  ): Promise<Reply> {
    return this.categories.update(id, input, context);
  }

  @Deletes(':id', { id: 'deleteCategory', summary: 'Delete a category', accepts: TermDeletion, answers: TermResponse })
  remove(
    @IdParam() id: number,
    @Input() input: Input<TermDeletion>,
    @Context() context: RequestContext,
  ): Promise<Reply> {
    return this.categories.remove(id, input, context);
  }
}
