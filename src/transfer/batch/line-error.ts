import type { ApiError } from '../../errors/api-error.js';
import { type Field, fieldsOf } from '../../platform/http/fields/field-metadata.js';
import { JsonText, type Path, type Place } from '../lines/json-place.js';
import type { Line } from '../lines/line.js';

/** The reason why a line was not imported. */
export interface LineError extends Partial<Place> {
  readonly line: number;
  /** The title of the event, or the name of the record. */
  readonly title?: string;
  /** The invalid field. '': the whole line is invalid. */
  readonly field: string;
  readonly reason: string;
  /** The value in the line, as JSON, shortened. */
  readonly found?: string;
  readonly expected?: string;
}

type Dto = abstract new () => object;

/** Returns errors in the order of their lines. */
export function inOrder(errors: readonly LineError[]): LineError[] {
  return errors.toSorted((a, b) => a.line - b.line);
}

/** Returns one error per invalid field. `type`: the class of the record's fields. */
export function lineErrorsOf(line: Line, error: ApiError, type: Dto): LineError[] {
  if (error.code === 'rest_body_too_large') return [{ line: line.number, field: '', reason: error.message }];
  if (error.code === 'rest_invalid_json') return [jsonError(line, error)];
  const text = new JsonText(line);
  const params = error.extras.data?.params;
  if (Array.isArray(params)) return params.map((name: string) => fieldError(text, type, name, `${name} is required.`));
  if (typeof params !== 'object' || params === null) return [wholeLineError(text, error.message)];
  return Object.entries(params as Record<string, string>).map(([name, reason]) => fieldError(text, type, name, reason));
}

/** Returns the error of a field with its place, its value and an example. */
function fieldError(text: JsonText, type: Dto, field: string, reason: string): LineError {
  // A text about a member of a record begins with its path: `venue[0].website is …`.
  const [named = field] = /^[\w.[\]]+/.exec(reason) ?? [];
  const path = pathIn(text, named.startsWith(field) ? named : field);
  const value = text.valueAt(path);
  const example = isVague(reason) ? exampleAt(type, path) : undefined;
  return {
    ...text.placeOf(path),
    ...titleOf(text),
    field,
    reason,
    ...(isShown(value, named, reason) ? { found: shortened(JSON.stringify(value), MAX_VALUE) } : {}),
    ...(example === undefined ? {} : { expected: `for example ${JSON.stringify(example)}` }),
  };
}

/** Whether the message shows a value: not one that is absent or secret, or that the reason names. */
function isShown(value: unknown, name: string, reason: string): boolean {
  return value !== undefined && !SECRET.test(name) && !reason.includes('does not exist:');
}

/** Returns an error about a whole line, or about a member that no record has. */
export function errorAt(line: Line, field: string, reason: string): LineError {
  const text = new JsonText(line);
  return { ...text.placeOf(pathIn(text, field)), ...titleOf(text), field, reason };
}

function wholeLineError(text: JsonText, reason: string): LineError {
  return { ...text.placeOf([]), ...titleOf(text), field: '', reason };
}

/** `json_error_code` of a text that is not JSON. */
const SYNTAX_ERROR = 4;
const NOT_UTF_8 = 5;
const NOT_AN_OBJECT = 6;

function jsonError(line: Line, { extras }: ApiError): LineError {
  const { json_error_code: code, json_error_message: message } = extras.data as Record<string, unknown>;
  const start = { line: line.number, field: '' };
  if (code === NOT_AN_OBJECT) {
    const found = shortened(new TextDecoder().decode(line.bytes).trim(), MAX_VALUE);
    return { ...start, column: line.column ?? 1, reason: 'Each line or item must be a JSON object.', found };
  }
  const reason = `Invalid JSON: ${String(message)}.`;
  if (code === NOT_UTF_8) return { ...start, reason, expected: 'UTF-8, as from: iconv -f ISO-8859-1 -t UTF-8 FILE' };
  // The text is not read any further where it is not UTF-8, or nested too deep.
  const fault = code === SYNTAX_ERROR ? new JsonText(line).fault() : undefined;
  return fault === undefined
    ? { ...start, reason }
    : { ...start, ...fault.place, reason: 'Invalid JSON.', expected: fault.expected };
}

/** Names of members whose values must not be in messages. */
const SECRET = /password|token/i;
const MAX_VALUE = 60;
const MAX_TITLE = 40;

/** The members that name a record, by its kind. */
const TITLES: Readonly<Record<string, string>> = {
  venue: 'venue',
  organizer: 'organizer',
  category: 'name',
  tag: 'name',
};

function titleOf(text: JsonText): Pick<LineError, 'title'> {
  const title = text.valueAt([TITLES[String(text.valueAt(['record']))] ?? 'title']);
  return typeof title === 'string' && title.trim() !== '' ? { title: shortened(title, MAX_TITLE) } : {};
}

function shortened(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

/** Parses `venue[0].website`. A single record may stand without a list, so its index is left out then. */
function pathIn(text: JsonText, name: string): Path {
  const parts = [...name.matchAll(/[^.[\]]+/g)].map(([part]) => (/^\d+$/.test(part) ? Number(part) : part));
  return parts.reduce<Path>((path, part) => {
    const isSingle = typeof part === 'number' && !Array.isArray(text.valueAt(path));
    return isSingle ? path : [...path, part];
  }, []);
}

/** Whether a text says that a value is wrong, but not what is right. */
function isVague(reason: string): boolean {
  return /is required\.|is not a |must be a list of ids/.test(reason);
}

function exampleAt(type: Dto, path: Path): unknown {
  const [name, ...rest] = path.filter((part) => typeof part === 'string');
  const field = fieldsOf(type).find((one) => one.name === name);
  const record = field === undefined ? undefined : recordOf(field);
  return rest.length > 0 && record !== undefined ? exampleAt(record, rest) : field?.example;
}

function recordOf({ forms = [] }: Field): Dto | undefined {
  return forms.find((form) => typeof form === 'function');
}
