import { createHash } from 'node:crypto';
import { nameKey, searchText, sortKey } from '../kernel/fold.js';
import type { PostRow } from '../posts/post.entity.js';
import type { LinkedPostDto } from './linked-post.dto.js';
import type { LinkedPostRow } from './linked-post.entity.js';
import type { Columns, LinkedPostKind } from './linked-post.kind.js';

type Names = Pick<
  LinkedPostRow,
  'title' | 'title_key' | 'name_hash' | 'search_text' | 'description' | 'phone' | 'website'
>;

/** Every column that follows from the fields: of a new record, or of a stored one after an update. */
export function linkedPostValues(kind: LinkedPostKind, dto: LinkedPostDto, stored?: LinkedPostRow): Names & Columns {
  const before = stored && storedColumns(kind, stored);
  const sent = { ...(before ?? kind.columns), ...sentColumns(kind, dto) };
  const columns = kind.settle?.(sent, before) ?? sent;
  const title = nameOf(dto, kind) ?? stored?.title ?? '';
  const searched = [title, ...kind.searched.map((column) => String(columns[column]))];
  const names = { title, title_key: sortKey(title), name_hash: nameHash(title), search_text: searchText(searched) };
  return { ...names, ...columns } as Names & Columns;
}

/** The columns of the sent fields alone. */
export function sentColumns(kind: LinkedPostKind, dto: LinkedPostDto): Columns {
  const values = dto as Record<string, string | number | boolean | null | undefined>;
  const sent = Object.keys(kind.columns).filter((column) => values[column] !== undefined);
  return Object.fromEntries(sent.map((column) => [column, storedForm(values[column], kind.columns[column])]));
}

/** The sent name, which each kind has in a field of its own. */
export function nameOf(dto: LinkedPostDto, { nameField }: LinkedPostKind): string | undefined {
  return (dto as Record<string, string | undefined>)[nameField];
}

/** Finds equal names, however long, by an index. */
export function nameHash(name: string): string {
  return createHash('sha256').update(nameKey(name)).digest('hex');
}

/** What an update really changes. */
export function differing(row: PostRow, values: object): Columns {
  const before = row as unknown as Columns;
  return Object.fromEntries(Object.entries(values as Columns).filter(([column, value]) => before[column] !== value));
}

function storedColumns(kind: LinkedPostKind, row: LinkedPostRow): Columns {
  const values = row as unknown as Columns;
  return Object.fromEntries(Object.keys(kind.columns).map((column) => [column, values[column] ?? null]));
}

function storedForm(
  value: string | number | boolean | null | undefined,
  empty: Columns[string] = null,
): Columns[string] {
  if (typeof value === 'boolean') return Number(value);
  return value ?? empty;
}
