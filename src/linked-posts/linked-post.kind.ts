import type { SqlValue } from '../database/sql/dialect.js';
import type { Problems } from '../errors/problems.js';
import { fieldsOf } from '../platform/http/fields/field-metadata.js';
import type { PostDto } from '../posts/post.dto.js';
import { type PostKind, postKind } from '../posts/post.kind.js';

/** Stored values by column name. */
export type Columns = Record<string, SqlValue>;

/** The options of a kind. */
interface KindOptions {
  /** The columns that a search reads besides the name (contract 11.1). */
  readonly searched: readonly string[];
  /** Columns of texts or numbers by which lists filter, each by the parameter of its name. */
  readonly filters?: readonly string[];
  /** The values of columns that were not sent, unless '' for a text and null for other types. */
  readonly defaults?: Columns;
  /** Adjusts columns that depend on others. `before`: the stored columns of an update. */
  adjust?(after: Columns, before: Columns | undefined): Columns;
  /** Reports columns that contradict each other. Unknown columns are absent. */
  checkTogether?(columns: Columns, problems: Problems): void;
}

/** The differences between venues and organizers for code that they share. */
export interface LinkedPostKind extends PostKind, KindOptions {
  /** The field of the name in requests and responses, and of the records in an event. */
  readonly nameField: string;
  readonly linkTable: string;
  readonly linkColumn: string;
  /** The index of the link table by record and event. */
  readonly linkIndex: string;
  /** The class with the accepted fields. */
  readonly dto: new () => LinkedPostDto;
  /** The columns that store a field of the same name, with the values for a field that was not sent or is cleared. */
  readonly columns: Columns;
}

/** Returns a kind. Its noun gives the names of tables, and its fields give the columns. */
export function linkedPostKind(noun: string, dto: new () => LinkedPostDto, options: KindOptions): LinkedPostKind {
  return {
    ...postKind(noun),
    nameField: noun,
    linkTable: `event_${noun}s`,
    linkColumn: `${noun}_id`,
    linkIndex: `ix_event_${noun}s_${noun}`,
    dto,
    columns: { ...emptyColumns(noun, dto), ...options.defaults },
    ...options,
  };
}

/** The fields of all posts, which shared code stores (posts/). */
const POST_FIELDS = ['status', 'author', 'date', 'date_utc', 'image', 'slug'];

function emptyColumns(nameField: string, dto: new () => LinkedPostDto): Columns {
  const own = fieldsOf(dto).filter(({ name }) => name !== nameField && !POST_FIELDS.includes(name));
  return Object.fromEntries(own.map(({ name, type }) => [name, type === 'string' ? '' : null]));
}

/** The accepted fields that venues and organizers share. null clears a field (contract 2.2). */
export interface LinkedPostDto extends PostDto {
  phone?: string | null;
  website?: string | null;
}
