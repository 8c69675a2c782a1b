import { BARE_AMPERSAND, decodeEntities } from '../../kernel/text/plain-text.js';
import { nearestName } from '../../kernel/text/spelling.js';
import { type Field, fieldsOf } from '../../platform/http/fields/field-metadata.js';

/** A value that is stored differently. Long texts are shortened to the part where they begin to differ. */
export interface Alteration {
  readonly line: number;
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** The values of lines that are altered or not stored. */
export interface Losses {
  readonly altered: readonly Alteration[];
  /** The members that no field accepts. */
  readonly ignored: readonly UnknownMember[];
}

/** A member that no field accepts, and the name that was probably meant. */
export interface UnknownMember {
  readonly name: string;
  readonly meant?: string;
}

export const NO_LOSSES: Losses = { altered: [], ignored: [] };

type Values = Record<string, unknown>;
type Dto = abstract new () => object;

/** The additional members of lines, which are no fields of the record. */
const LINE_MEMBERS = new Set([
  ...['record', 'external_id', 'line_key', 'author_login', 'password_hash', 'uid'],
  ...['parent_slug', 'has_children', 'trash_slug'],
]);

/** Compares the values of a line with the parsed and cleaned `dto`. */
export function lossesOf(line: number, type: Dto, values: Values, dto: object): Losses {
  const losses = lossesWithin(type, values, dto as Values, '');
  return {
    altered: losses.altered.map(([field, before, after]) => alteration(line, field, before, after)),
    ignored: losses.ignored,
  };
}

/** Returns the members of a rejected line that no field accepts, because a misspelt name may be why it was rejected. */
export function unknownMembersOf(type: Dto, values: Values): Losses {
  return { altered: [], ignored: unknownMembers(type, values, '') };
}

export function alteration(line: number, field: string, before: string, after: string): Alteration {
  const start = Math.max(0, firstDifference(before, after) - CONTEXT_LENGTH);
  return { line, field, before: shown(before, start), after: shown(after, start) };
}

export function sumLosses(losses: readonly Losses[]): Losses {
  return {
    altered: losses.flatMap(({ altered }) => altered),
    ignored: losses.flatMap(({ ignored }) => ignored),
  };
}

interface Found {
  readonly altered: (readonly [field: string, before: string, after: string])[];
  readonly ignored: UnknownMember[];
}

function lossesWithin(type: Dto, values: Values, dto: Values, path: string): Found {
  const found: Found = { altered: [], ignored: unknownMembers(type, values, path) };
  for (const field of fieldsOf(type)) {
    const { name } = field;
    const record = field.forms?.find((form) => typeof form === 'function');
    if (record !== undefined) addRecords(found, record, values[name], `${path}${name}.`);
    else if (isAltered(field, values[name], dto[name]))
      found.altered.push([`${path}${name}`, messageText(field, values[name]), messageText(field, dto[name])]);
  }
  return found;
}

/** How many edits a misspelt name has. With one edit, a name of two letters such as `id` is another name. */
function maxEdits(name: string): number {
  if (name.length <= 2) return 0;
  return name.length <= 4 ? 1 : 2;
}

function unknownMembers(type: Dto, values: Values, path: string): UnknownMember[] {
  const known = [...fieldsOf(type).map(({ name }) => name), ...(path === '' ? LINE_MEMBERS : [])];
  const unknown = Object.keys(values).filter((name) => !known.includes(name));
  return unknown.map((name) => {
    // Other calendars have `start` and `end`.
    const meant = nearestName(name, known, maxEdits(name)) ?? known.find((one) => one === `${name}_date`);
    return { name: `${path}${name}`, ...(meant === undefined ? {} : { meant: `${path}${meant}` }) };
  });
}

/** Adds the losses of nested records. If a record has an id, its other members are ignored. */
function addRecords(found: Found, type: Dto, value: unknown, path: string): void {
  for (const item of [value].flat()) {
    if (typeof item !== 'object' || item === null) continue;
    const { id, ...values } = item as Values;
    const { altered, ignored } =
      id === undefined || id === null || id === 0
        ? lossesWithin(type, values, cleaned(type, values), path)
        : { altered: [], ignored: Object.keys(values).map((name) => ({ name: `${path}${name}` })) };
    found.altered.push(...altered);
    found.ignored.push(...ignored);
  }
}

/** Returns the parsed and cleaned values, which have passed the checks. */
function cleaned(type: Dto, values: Values): Values {
  const dto: Values = {};
  for (const field of fieldsOf(type)) {
    const { name, clean } = field;
    if (typeof values[name] !== 'string') continue;
    const value = field.coerce(values[name]);
    dto[name] = clean !== undefined && typeof value === 'string' ? clean(value) : value;
  }
  return dto;
}

function isAltered({ clean }: Field, sent: unknown, stored: unknown): boolean {
  if (sent === stored || stored === undefined || stored === null) return false;
  if (Array.isArray(stored)) return withoutCommas(textOf(sent)) !== withoutCommas(textOf(stored));
  if (typeof sent !== 'string' || typeof stored !== 'string') return false;
  if (clean === undefined) return sent.trim() !== stored;
  // Most texts have only paragraphs added, and need no closer look.
  return withoutAdded(sent) !== withoutAdded(stored) && comparableHtml(sent) !== comparableHtml(stored);
}

/** Undoes what cleaning does to most texts. */
function withoutAdded(html: string): string {
  return html.trim().replace(ADDED, '').replace(BARE_AMPERSAND, '&amp;');
}

const ADDED = /<\/?p>|<br ?\/?>|\n/gi;

/** Ignores paragraphs and entities, which every write adds to HTML (contract section 3). */
function withoutParagraphs(html: string): string {
  return decodeEntities(html.replace(/<\/?p>|<br ?\/?>/gi, '').replace(/\s+/g, ' ')).trim();
}

function comparableHtml(html: string): string {
  return withoutParagraphs(html).replaceAll(' ', '').toLowerCase();
}

function messageText({ clean }: Field, value: unknown): string {
  return clean === undefined ? textOf(value) : withoutParagraphs(textOf(value));
}

function withoutCommas(text: string): string {
  return text.replace(/[\s,]/g, '');
}

/** Returns a value as one line of text. Records are shown by their ids. */
function textOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return textOf((value as Values).id);
  return Array.isArray(value) ? value.map(textOf).join(', ') : String(value);
}

/** The characters shown before the first difference. */
const CONTEXT_LENGTH = 30;
const MAX_SHOWN_LENGTH = 80;

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

function shown(text: string, start: number): string {
  const end = start + MAX_SHOWN_LENGTH;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
