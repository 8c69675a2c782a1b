import { createHash } from 'node:crypto';
import type { Sql } from '../database/sql/dialect.js';
import { can } from '../kernel/caller.js';
import { nameKey, searchText, sortKey } from '../kernel/text/case-folding.js';
import type { Input, InputMode } from '../platform/http/fields/input.js';
import { checkTexts } from '../platform/http/fields/stored-texts.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { ImageMeasures } from '../platform/images/image-probe.js';
import type { ImagesService } from '../platform/images/images.service.js';
import { checkAuthor, findAuthors } from '../posts/post.author.js';
import type { PostRow } from '../posts/post.entity.js';
import { readPublication, type SentPublication } from '../posts/post.publication.js';
import type { LinkedPostRow } from './linked-post.entity.js';
import type { Columns, LinkedPostDto, LinkedPostKind } from './linked-post.kind.js';

/** A checked create or update, with all data that the transaction needs. */
export interface LinkedPostWrite {
  readonly dto: LinkedPostDto;
  readonly publication: SentPublication;
  /** The type and size of a new image, if IMAGE_PROBE is enabled. */
  readonly measures?: ImageMeasures;
}

/** Checks the fields of a write beyond their format, and reports problems (contract section 6). */
export async function checkWrite(
  sql: Sql,
  images: ImagesService,
  kind: LinkedPostKind,
  input: Input<LinkedPostDto>,
  mode: InputMode,
  context: RequestContext,
): Promise<LinkedPostWrite> {
  const { dto, problems } = input;
  const publication = readPublication(dto, context, problems);
  kind.checkTogether?.({ ...(mode === 'create' ? kind.columns : {}), ...sentColumns(kind, dto) }, problems);
  // Measures texts as they will be stored. Skips cleaning their HTML if the write fails anyway.
  if (mode === 'create' && problems.isEmpty) checkTexts(dto, undefined, context, problems);
  // Looks up references only for callers who may write, so that others do not learn which exist.
  if (!can(context.caller, 'edit_posts')) return { dto, publication };
  return { dto, publication, measures: await checkReferences(sql, images, input, context) };
}

async function checkReferences(
  sql: Sql,
  images: ImagesService,
  { dto, problems }: Input<LinkedPostDto>,
  { caller }: RequestContext,
): Promise<ImageMeasures | undefined> {
  checkAuthor(dto, await findAuthors(sql, [dto]), problems);
  await images.check(sql, dto.image, caller, problems, 'image');
  return images.probe(dto.image, caller, problems, 'image');
}

type Names = Pick<
  LinkedPostRow,
  'title' | 'title_key' | 'name_hash' | 'search_text' | 'description' | 'phone' | 'website'
>;

/** Returns all columns that depend on the fields, of a new record or of a stored one after an update. */
export function linkedPostValues(kind: LinkedPostKind, dto: LinkedPostDto, stored?: LinkedPostRow): Names & Columns {
  const before = stored && storedColumns(kind, stored);
  const sent = { ...(before ?? kind.columns), ...sentColumns(kind, dto) };
  const columns = kind.adjust?.(sent, before) ?? sent;
  const title = nameOf(dto, kind) ?? stored?.title ?? '';
  const searched = [title, ...kind.searched.map((column) => String(columns[column]))];
  const names = { title, title_key: sortKey(title), name_hash: nameHash(title), search_text: searchText(searched) };
  return { ...names, ...columns } as Names & Columns;
}

/** Returns the columns of the sent fields only. */
export function sentColumns(kind: LinkedPostKind, dto: LinkedPostDto): Columns {
  const values = dto as Record<string, string | number | boolean | null | undefined>;
  const sent = Object.keys(kind.columns).filter((column) => values[column] !== undefined);
  return Object.fromEntries(sent.map((column) => [column, storedForm(values[column], kind.columns[column])]));
}

/** Returns the sent name. Its field differs by kind. */
export function nameOf(dto: LinkedPostDto, { nameField }: LinkedPostKind): string | undefined {
  return (dto as Record<string, string | undefined>)[nameField];
}

/** Returns a hash of fixed length, so that an index finds equal names of any length. */
export function nameHash(name: string): string {
  return createHash('sha256').update(nameKey(name)).digest('hex');
}

/** Returns the columns whose value differs from the row. */
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
