import type { SqlValue } from '../database/dialect.js';
import type { Problems } from '../platform/errors/problems.js';
import type { PostKind } from '../posts/post.kind.js';
import type { LinkedPostDto } from './linked-post.dto.js';

/** Columns by name, as they are stored. */
export type Columns = Record<string, SqlValue>;

/** What tells venues and organizers apart where they are treated alike. */
export interface LinkedPostKind extends PostKind {
  readonly noun: 'venue' | 'organizer';
  /** The field of the name, in requests and in answers. */
  readonly nameField: 'venue' | 'organizer';
  readonly linkTable: string;
  readonly linkColumn: 'venue_id' | 'organizer_id';
  /** The fields of a write. */
  readonly dto: new () => LinkedPostDto;
  /** Columns that hold what was sent under the same name; each with its value when nothing was, or when it is cleared. */
  readonly columns: Columns;
  /** What a search looks at besides the name (contract 11.1). */
  readonly searched: readonly string[];
  /** Decides over columns whose value depends on others; `before`: the stored record of an update. */
  settle?(after: Columns, before: Columns | undefined): Columns;
  /** Notes columns that do not go together; a column that is not known yet is absent. */
  checkTogether?(columns: Columns, problems: Problems): void;
}
