import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { TermCounts } from '../terms/term.counts.js';
import { TermCrud } from '../terms/term.crud.js';
import { CATEGORY } from './category.kind.js';

/** The operations on categories: list, read, create, update and remove are inherited. */
@Injectable()
export class CategoriesService extends TermCrud {
  constructor(database: Database, counts: TermCounts) {
    super(database, counts, CATEGORY);
  }
}
