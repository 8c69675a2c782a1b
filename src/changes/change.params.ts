import {
  AtVenues,
  HiddenFilter,
  InCategories,
  IsFeatured,
  IsTicketed,
  OfOrganizers,
  WithTags,
} from '../events/event.params.js';
import { StatusFilter, type StatusWord } from '../posts/post.dto.js';
import type { Problems } from '../errors/problems.js';
import { Choices } from '../platform/http/fields/list-fields.js';
import { RawText } from '../platform/http/fields/text-fields.js';
import { Flag, Int } from '../platform/http/fields/value-fields.js';
import { CHANGE_TYPES, type ChangeType } from '../database/cache/change-types.js';
import { type ChangeToken, readToken } from '../database/cache/change-token.js';

/** `since` of a program that wants no first fill. */
const NOW = 'now';
const DEFAULT_SIZE = 100;
const MAX_WAIT_SECONDS = 55;
const MAX_TOKEN_CHARACTERS = 200;

/** The parameters of GET /changes (changes section 1). The filters apply to events only. */
export class ChangeParams {
  @RawText('next_since of an earlier answer; now: only a token; unset: all records first, then what has changed', {
    max: MAX_TOKEN_CHARACTERS,
    example: NOW,
  })
  since?: string;
  @Choices('only records of these types; default: all', { words: CHANGE_TYPES }) types?: ChangeType[];
  @Int('how many changes an answer has at most', { min: 1, default: DEFAULT_SIZE, example: 100 }) per_page?: number;
  @Int('seconds to wait for a change while there is none; needs since', {
    min: 0,
    max: MAX_WAIT_SECONDS,
    default: 0,
    example: 0,
  })
  wait?: number;
  @Flag('whether changes contain their records', { default: true }) records?: boolean;
  @InCategories() categories?: (string | number)[];
  @WithTags() tags?: (string | number)[];
  @AtVenues() venue?: number[];
  @OfOrganizers() organizer?: number[];
  @IsFeatured() featured?: boolean;
  @IsTicketed() ticketed?: boolean;
  @StatusFilter() status?: StatusWord[];
  @HiddenFilter() hide_from_listings?: boolean | 'any';
}

/** The names of the filters, in the order of links. */
export const CHANGE_FILTERS = [
  'categories',
  'tags',
  'venue',
  'organizer',
  'featured',
  'ticketed',
  'status',
  'hide_from_listings',
] as const satisfies readonly (keyof ChangeParams)[];

/** Where to begin. `start`: a first fill. */
export type Since = 'start' | 'now' | ChangeToken;

/** Reads `since`, and reports a text that is no token, and a wait without `since`. */
export function readSince({ since, wait = 0 }: ChangeParams, problems: Problems): Since {
  if (since === undefined) {
    if (wait > 0 && !problems.has('since')) problems.add('wait', 'rest_conflict', 'needs since as well.');
    return 'start';
  }
  if (since === NOW) return 'now';
  const token = readToken(since);
  if (token === undefined) problems.add('since', 'rest_invalid_type', 'is not a next_since of an earlier answer.');
  return token ?? 'start';
}

/** Returns the types to report, in the order of a first fill. */
export function typesOf({ types }: ChangeParams): readonly ChangeType[] {
  return CHANGE_TYPES.filter((type) => types?.includes(type) ?? true);
}

/** Returns the largest number of changes of an answer (changes section 1). */
export function sizeOf({ per_page = DEFAULT_SIZE }: ChangeParams, maxPerPage: number): number {
  return Math.min(per_page, maxPerPage);
}
