import type { SqlValue } from '../database/sql/dialect.js';
import type { Problems } from '../errors/problems.js';
import { fieldsOf } from '../platform/http/fields/field-metadata.js';
import type { PostDto } from '../posts/post.dto.js';
import { type PostKind, postKind } from '../posts/post.kind.js';

/** Columns by name, as they are stored. */
export type Columns = Record<string, SqlValue>;

/** What is particular to a kind. */
interface Particulars {
  /** What a search looks at besides the name (contract 11.1). */
  readonly searched: readonly string[];
  /** What is stored when nothing was sent, where that is not '' for a text and null for anything else. */
  readonly defaults?: Columns;
  /** Decides over columns whose value depends on others; `before`: the stored record of an update. */
  settle?(after: Columns, before: Columns | undefined): Columns;
  /** Notes columns that do not go together; a column that is not known yet is absent. */
  checkTogether?(columns: Columns, problems: Problems): void;
}

/** What tells the kinds of records that events are linked to apart, where they are treated alike. */
export interface LinkedPostKind extends PostKind, Particulars {
  /** The field of the name, in requests and in answers; also that of the records in an event. */
  readonly nameField: string;
  readonly linkTable: string;
  readonly linkColumn: string;
  /** By record and event. */
  readonly linkIndex: string;
  /** The fields of a write. */
  readonly dto: new () => LinkedPostDto;
  /** Columns that hold what was sent under the same name; each with its value when nothing was, or when it is cleared. */
  readonly columns: Columns;
}

/** The kind of a noun with the fields of its records; the names of columns and tables follow from them. */
export function linkedPostKind(noun: string, dto: new () => LinkedPostDto, particulars: Particulars): LinkedPostKind {
  return {
    ...postKind(noun),
    nameField: noun,
    linkTable: `event_${noun}s`,
    linkColumn: `${noun}_id`,
    linkIndex: `ix_event_${noun}s_${noun}`,
    dto,
    columns: { ...emptyColumns(noun, dto), ...particulars.defaults },
    ...particulars,
  };
}

/** Fields of all posts, which are stored in another way than under their own name. */
const OF_POSTS = ['status', 'author', 'date', 'date_utc', 'image', 'slug'];

function emptyColumns(nameField: string, dto: new () => LinkedPostDto): Columns {
  const own = fieldsOf(dto).filter(({ name }) => name !== nameField && !OF_POSTS.includes(name));
  return Object.fromEntries(own.map(({ name, type }) => [name, type === 'string' ? '' : null]));
}

/** The fields that venues and organizers have in common, as accepted; null clears (contract 2.2). */
export interface LinkedPostDto extends PostDto {
  phone?: string | null;
  website?: string | null;
}
