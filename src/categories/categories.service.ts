import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { TermCrud } from '../terms/term.crud.js';
import { CATEGORY } from './category.kind.js';

/** Categories are terms: list, read, create, update and remove come from there. */
@Injectable()
export class CategoriesService extends TermCrud {
  constructor(database: Database) {
    super(database, CATEGORY);
  }
}
