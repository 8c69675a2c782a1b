import { parseJsonBody } from '../../platform/http/bodies/json-body.js';
import type { Line } from '../lines/read-lines.js';
import type { LineError } from './line-error.js';

/** Members of API responses that request bodies do not have. */
const RESPONSE_MEMBERS = ['global_id', 'rest_url', 'term_taxonomy_id'];
/** Members of an event that contain records with ids. */
const RECORD_MEMBERS = ['venue', 'organizer', 'categories', 'tags'];
const REASON =
  'the line comes from the answer of a calendar, whose ids mean other records here. Leave the ids out, or say --ids-are-ours.';

/** Returns an error if the line comes from an API response, whose ids may mean other records here. */
export function foreignLineError({ number: line, bytes }: Line): LineError | undefined {
  // Avoids parsing most lines twice.
  if (!RESPONSE_MEMBERS.some((name) => bytes.includes(`"${name}"`))) return undefined;
  const field = firstResponseMember(bytes);
  return field === undefined ? undefined : { line, field, reason: REASON };
}

/** Returns the path of the first such member. */
function firstResponseMember(bytes: Buffer): string | undefined {
  let values: Record<string, unknown>;
  try {
    values = parseJsonBody(bytes);
  } catch {
    // The importer reports invalid JSON.
    return undefined;
  }
  const parts = RECORD_MEMBERS.flatMap((name) => [values[name]].flat().map((value) => [`${name}.`, value] as const));
  return [['', values] as const, ...parts].flatMap(([path, part]) =>
    membersOf(part).map((name) => `${path}${name}`),
  )[0];
}

function membersOf(part: unknown): string[] {
  return RESPONSE_MEMBERS.filter((name) => typeof part === 'object' && part !== null && Object.hasOwn(part, name));
}
