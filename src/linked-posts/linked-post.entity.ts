import { TextColumn } from '../database/sql/columns.js';
import { PostRow } from '../posts/post.entity.js';

/** The columns that venues and organizers share. Their name is the title. */
export abstract class LinkedPostRow extends PostRow {
  /** SHA-256 of the name's key, to find records with the same name (contract 11.3). */
  @TextColumn(64) name_hash: string;
  @TextColumn(100) phone: string;
  @TextColumn(2000) website: string;
}
