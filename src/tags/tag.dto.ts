import { TermDto } from '../terms/term.dto.js';

/** What is accepted for a tag, on create and update (contract 13.3): a `parent` is not. */
export class TagDto extends TermDto {}
