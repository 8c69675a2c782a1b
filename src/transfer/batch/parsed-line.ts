import { apiError } from '../../errors/api-error.js';
import { EventDto } from '../../events/event.dto.js';
import { parseJsonBody } from '../../platform/http/bodies/json-body.js';
import { readInput } from '../../platform/http/fields/input.js';
import type { Problems } from '../../errors/problems.js';
import { lineKey } from '../lines/line-key.js';
import type { Line } from '../lines/line.js';
import { type Losses, lossesOf, NO_LOSSES, unknownMembersOf } from '../lines/line-losses.js';

/** A line with its parsed and cleaned fields. */
export interface ParsedLine {
  readonly key: string;
  readonly dto: EventDto;
  /** What is wrong with the fields by themselves. */
  readonly problems: Problems;
  /** What is lost of the line if it is stored. */
  readonly losses: Losses;
  /** The members that no field accepts, for a line that is rejected. */
  readonly unknown: Losses;
  /** Members that are stored with the event, but are no fields of it. */
  readonly stored: { readonly uid: unknown; readonly password_hash: unknown };
}

/** Parses and checks a line by itself. Throws an ApiError if it is no JSON object, or longer than `maxBytes`. */
export function parseLine({ bytes, number, key }: Line, maxBytes: number): ParsedLine {
  if (bytes.length > maxBytes) throw apiError('rest_body_too_large');
  const values = parseJsonBody(bytes);
  const { dto, problems } = readInput(EventDto, 'create', values);
  const losses = problems.isEmpty ? lossesOf(number, EventDto, values, dto) : NO_LOSSES;
  const unknown = unknownMembersOf(EventDto, values);
  const { uid, password_hash } = values;
  return { key: key ?? lineKey(values), dto, problems, losses, unknown, stored: { uid, password_hash } };
}
