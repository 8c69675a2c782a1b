import { decodeEntities } from '../../kernel/text/plain-text.js';
import { type Field, fieldsOf } from '../../platform/http/fields/field-metadata.js';

/** A value of a line that is stored as another one. Long texts are cut down to where they begin to differ. */
export interface Alteration {
  readonly line: number;
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** What of a line is not stored as the line says it. */
export interface Losses {
  readonly altered: readonly Alteration[];
  /** Names of members that no field takes. */
  readonly ignored: readonly string[];
}

export const NO_LOSSES: Losses = { altered: [], ignored: [] };

type Values = Record<string, unknown>;
type Dto = abstract new () => object;

/** Members that lines have besides the fields of their record. */
const BESIDE_FIELDS = new Set([
  ...['record', 'external_id', 'line_key', 'author_login', 'password_hash'],
  ...['parent_slug', 'has_children', 'trash_slug'],
]);

/** What reading has made of the values of a line: `dto` holds what is left of them. */
export function lossesOf(line: number, type: Dto, values: Values, dto: object): Losses {
  const losses = lossesWithin(type, values, dto as Values, '');
  return {
    altered: losses.altered.map(([field, before, after]) => alteration(line, field, before, after)),
    ignored: losses.ignored.filter((name) => !BESIDE_FIELDS.has(name)),
  };
}

export function alteration(line: number, field: string, before: string, after: string): Alteration {
  const start = Math.max(0, firstDifference(before, after) - SHOWN_BEFORE);
  return { line, field, before: shown(before, start), after: shown(after, start) };
}

export function added(losses: readonly Losses[]): Losses {
  return {
    altered: losses.flatMap(({ altered }) => altered),
    ignored: losses.flatMap(({ ignored }) => ignored),
  };
}

interface Found {
  readonly altered: (readonly [field: string, before: string, after: string])[];
  readonly ignored: string[];
}

function lossesWithin(type: Dto, values: Values, dto: Values, path: string): Found {
  const fields = fieldsOf(type);
  const names = new Set(fields.map(({ name }) => name));
  const found: Found = { altered: [], ignored: [] };
  found.ignored.push(
    ...Object.keys(values)
      .filter((name) => !names.has(name))
      .map((name) => `${path}${name}`),
  );
  for (const field of fields) {
    const { name } = field;
    const record = field.forms?.find((form) => typeof form === 'function');
    if (record !== undefined) addRecords(found, record, values[name], `${path}${name}.`);
    else if (isAltered(field, values[name], dto[name]))
      found.altered.push([`${path}${name}`, toldText(field, values[name]), toldText(field, dto[name])]);
  }
  return found;
}

/** Of records that are sent in full: what reading makes of each. Beside an id nothing else counts. */
function addRecords(found: Found, type: Dto, value: unknown, path: string): void {
  for (const item of [value].flat()) {
    if (typeof item !== 'object' || item === null) continue;
    const { id, ...values } = item as Values;
    const { altered, ignored } =
      id === undefined || id === null || id === 0
        ? lossesWithin(type, values, cleaned(type, values), path)
        : { altered: [], ignored: Object.keys(values).map((name) => `${path}${name}`) };
    found.altered.push(...altered);
    found.ignored.push(...ignored);
  }
}

/** What reading makes of the values; they are found right already. */
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
  return clean === undefined ? sent.trim() !== stored : essenceOf(sent) !== essenceOf(stored);
}

/** HTML gets paragraphs and entities wherever it is written (contract section 3): nothing is lost by that. */
function withoutParagraphs(html: string): string {
  return decodeEntities(html.replace(/<\/?p>|<br ?\/?>/gi, '').replace(/\s+/g, ' ')).trim();
}

function essenceOf(html: string): string {
  return withoutParagraphs(html).replaceAll(' ', '').toLowerCase();
}

function toldText({ clean }: Field, value: unknown): string {
  return clean === undefined ? textOf(value) : withoutParagraphs(textOf(value));
}

function withoutCommas(text: string): string {
  return text.replace(/[\s,]/g, '');
}

/** Lists in one line; of records their ids. */
function textOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return textOf((value as Values).id);
  return Array.isArray(value) ? value.map(textOf).join(', ') : String(value);
}

const SHOWN_BEFORE = 30;
const SHOWN = 80;

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

function shown(text: string, start: number): string {
  const end = start + SHOWN;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
