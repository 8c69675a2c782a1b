import { EventFilter, PostFilter, SlugFilter, TermParams } from '../terms/term.params.js';

/** The parameters of GET /tags, in the order of contract 13.2. */
export class TagParams extends TermParams {
  @PostFilter() post?: number;
  @EventFilter() event?: number;
  @SlugFilter() slug?: string;
}
