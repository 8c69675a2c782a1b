import { EventFilter, ParentFilter, PostFilter, SlugFilter, TermParams } from '../terms/term.params.js';

/** The parameters of GET /categories, in the order of contract 13.2. */
export class CategoryParams extends TermParams {
  @ParentFilter() parent?: number;
  @PostFilter() post?: number;
  @EventFilter() event?: number;
  @SlugFilter() slug?: string;
}
