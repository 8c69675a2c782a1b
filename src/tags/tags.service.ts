import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { TermCounts } from '../terms/term.counts.js';
import { TermCrud } from '../terms/term.crud.js';
import { TAG } from './tag.kind.js';

/** The operations on tags: list, read, create, update and remove are inherited. */
@Injectable()
export class TagsService extends TermCrud {
  constructor(database: Database, counts: TermCounts) {
    super(database, counts, TAG);
  }
}
