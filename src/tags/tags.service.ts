import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Reply } from '../platform/http/reply.js';
import type { Input } from '../platform/http/fields/input.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { TermDeletion } from '../terms/term.dto.js';
import type { TermRecord } from '../terms/term.query.js';
import { TermLinks } from '../terms/term.resolve.js';
import { TermCrud } from '../terms/term.crud.js';
import type { TagDto } from './tag.dto.js';
import { TAG } from './tag.kind.js';
import type { TagParams } from './tag.dto.js';

/** Tags are terms; what they do is done there. */
@Injectable()
export class TagsService {
  /** What events do with them. */
  readonly terms = new TermLinks(TAG);
  private readonly records: TermCrud;

  constructor(database: Database) {
    this.records = new TermCrud(database, TAG);
  }

  list(input: Input<TagParams>, context: RequestContext): Promise<Reply> {
    return this.records.list(input, context);
  }

  read(id: number, context: RequestContext): Promise<Reply> {
    return this.records.read(id, context);
  }

  create(input: Input<TagDto>, context: RequestContext): Promise<Reply> {
    return this.records.create(input, context);
  }

  /** Takes over a term of an export; answers it as it is stored. */
  bring(input: Input<TagDto>, context: RequestContext): Promise<TermRecord> {
    return this.records.bring(input, context);
  }

  update(id: number, input: Input<TagDto>, context: RequestContext): Promise<Reply> {
    return this.records.update(id, input, context);
  }

  remove(id: number, input: Input<TermDeletion>, context: RequestContext): Promise<Reply> {
    return this.records.remove(id, input, context);
  }

  /** The id behind the human address; throws its 404. */
  getIdBySlug(slug: string): Promise<number> {
    return this.records.getIdBySlug(slug);
  }
}
