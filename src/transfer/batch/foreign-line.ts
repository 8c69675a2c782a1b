import { parseJsonBody } from '../../platform/http/bodies/json-body.js';
import type { Line } from '../lines/line.js';
import { errorAt, type LineError } from './line-error.js';

/** Members of API responses that request bodies do not have. */
const RESPONSE_MEMBERS = ['global_id', 'rest_url', 'term_taxonomy_id'];
/** Members of an event that contain records with ids. */
const RECORD_MEMBERS = ['venue', 'organizer', 'categories', 'tags'];
const REASON =
  'the line comes from the answer of a calendar, whose ids mean other records here. Leave the ids out, or say --ids-are-ours.';
/** The member of a response with a list. */
const LIST = 'events';
const LIST_REASON =
  'the line is a list of events, not one event. examples/from-another-calendar.mjs makes lines of such lists.';

/** Returns an error if the line comes from an API response: a list, or a record whose ids may mean other records here. */
export function foreignLineError(line: Line): LineError | undefined {
  // Avoids parsing most lines twice.
  if (![LIST, ...RESPONSE_MEMBERS].some((name) => line.bytes.includes(`"${name}"`))) return undefined;
  const values = valuesOf(line.bytes);
  if (Array.isArray(values[LIST]) && values.title === undefined) return errorAt(line, LIST, LIST_REASON);
  const field = firstResponseMember(values);
  return field === undefined ? undefined : errorAt(line, field, REASON);
}

function valuesOf(bytes: Buffer): Record<string, unknown> {
  try {
    return parseJsonBody(bytes);
  } catch {
    // The importer reports invalid JSON.
    return {};
  }
}

/** Returns the path of the first such member. */
function firstResponseMember(values: Record<string, unknown>): string | undefined {
  const parts = RECORD_MEMBERS.flatMap((name) => [values[name]].flat().map((value) => [`${name}.`, value] as const));
  return [['', values] as const, ...parts].flatMap(([path, part]) =>
    membersOf(part).map((name) => `${path}${name}`),
  )[0];
}

function membersOf(part: unknown): string[] {
  return RESPONSE_MEMBERS.filter((name) => typeof part === 'object' && part !== null && Object.hasOwn(part, name));
}
