import { Int } from '../platform/http/fields.js';
import { TermDto } from '../terms/term.dto.js';

/** What is accepted for a category, on create and update (contract 13.3). */
export class CategoryDto extends TermDto {
  @Int('the id of the parent category; 0: top level', { example: 0 }) parent?: number | null;
}
