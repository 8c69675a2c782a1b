import { parseJsonBody } from '../../platform/http/bodies/json-body.js';
import type { Line } from '../lines/read-lines.js';
import type { LineError } from './line-error.js';

/** Members of an answer that no body of a write has. */
const OF_ANSWERS = ['global_id', 'rest_url', 'term_taxonomy_id'];
/** Members of an event that hold records with ids. */
const HOLD_RECORDS = ['venue', 'organizer', 'categories', 'tags'];
const REASON =
  'the line comes from the answer of a calendar, whose ids mean other records here. Leave the ids out, or say --ids-are-ours.';

/** Why the line is not taken, if it comes from an answer: what its ids mean here nobody knows. */
export function foreignRefusal({ number: line, bytes }: Line): LineError | undefined {
  // Most lines are none: they are not read twice.
  if (!OF_ANSWERS.some((name) => bytes.includes(`"${name}"`))) return undefined;
  const field = fieldOfAnswer(bytes);
  return field === undefined ? undefined : { line, field, reason: REASON };
}

/** The first member that shows it. */
function fieldOfAnswer(bytes: Buffer): string | undefined {
  let values: Record<string, unknown>;
  try {
    values = parseJsonBody(bytes);
  } catch {
    // Whoever imports the line refuses it.
    return undefined;
  }
  const parts = HOLD_RECORDS.flatMap((name) => [values[name]].flat().map((value) => [`${name}.`, value] as const));
  return [['', values] as const, ...parts].flatMap(([path, part]) =>
    membersOf(part).map((name) => `${path}${name}`),
  )[0];
}

function membersOf(part: unknown): string[] {
  return OF_ANSWERS.filter((name) => typeof part === 'object' && part !== null && Object.hasOwn(part, name));
}
