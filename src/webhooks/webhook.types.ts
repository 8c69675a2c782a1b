import { type ChangeType, typeOfChange } from '../database/cache/change-types.js';
import type { AudienceChange } from '../database/cache/recent-changes.js';

/** Whose view a webhook gets: that of anonymous readers, or everything. */
export const AUDIENCES = ['public', 'all'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** The type of the message that POST /webhooks/{id}/test sends. Every webhook gets it. */
export const TEST_TYPE = 'webhook.test';

const NOUNS: readonly ChangeType[] = ['event', 'venue', 'organizer', 'category', 'tag'];
const PUBLIC_VERBS = ['created', 'updated', 'deleted'];
const VERBS = [...PUBLIC_VERBS, 'published', 'trashed', 'restored'];

/** The words of `types`: all, those of a kind of record, single types (webhooks section 2). */
export const TYPE_WORDS: readonly string[] = [
  '*',
  ...NOUNS.flatMap((noun) => ['*', ...VERBS].map((verb) => `${noun}.${verb}`)),
];

/** Returns those of the words that name no type of the audience. */
export function typesOutside(audience: Audience, words: readonly string[]): string[] {
  if (audience === 'all') return [];
  return words.filter((word) => !['*', ...PUBLIC_VERBS].includes(word.split('.').at(-1)!));
}

export function isWanted(words: readonly string[], type: string): boolean {
  return ['*', type, `${type.split('.', 1)[0]}.*`].some((word) => words.includes(word));
}

/** A change as an audience learns of it. */
export interface ToldChange {
  readonly type: string;
  readonly recordType: ChangeType;
  readonly recordId: number;
  readonly changeId: number;
  readonly madeUtc: string;
}

/**
 * Returns what an audience is told of a change. undefined: nothing. To the public a record that is trashed, unpublished,
 * hidden or gone is deleted alike, so that nothing else is told.
 */
export function toldChange(change: AudienceChange, audience: Audience): ToldChange | undefined {
  const recordType = typeOfChange(change);
  const type = audience === 'all' ? change.kind : publicType(change, recordType);
  if (recordType === undefined || type === undefined) return undefined;
  return { type, recordType, recordId: change.record_id, changeId: change.id, madeUtc: change.made_utc };
}

function publicType({ listed_before, listed_after }: AudienceChange, noun = ''): string | undefined {
  if (listed_after === 1) return `${noun}.${listed_before === 1 ? 'updated' : 'created'}`;
  return listed_before === 1 ? `${noun}.deleted` : undefined;
}

/**
 * Returns the changes with the last of each record only. A record whose creation is among them is still created, because
 * the receiver does not know it yet.
 */
export function lastOfEach(changes: readonly ToldChange[]): ToldChange[] {
  const last = new Map<string, ToldChange>();
  for (const change of changes) {
    const key = recordKey(change);
    const before = last.get(key);
    // Deleting moves the record to the place of its last change.
    last.delete(key);
    last.set(key, before === undefined ? change : merged(before.type, change));
  }
  return [...last.values()];
}

/** Returns the change that replaces one of the same record, of the type `before`, which is not sent. */
export function merged(before: string, change: ToldChange): ToldChange {
  const { type, recordType } = change;
  const isStillNew = before.endsWith('.created') && type.endsWith('.updated');
  return isStillNew ? { ...change, type: `${recordType}.created` } : change;
}

function recordKey({ recordType, recordId }: Pick<ToldChange, 'recordType' | 'recordId'>): string {
  return `${recordType} ${recordId}`;
}
