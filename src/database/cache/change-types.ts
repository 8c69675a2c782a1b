/** The types of records in the order of a first fill: an event comes after the records that it embeds (changes rule 1). */
export const CHANGE_TYPES = ['category', 'tag', 'venue', 'organizer', 'event'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** Returns the type of the record of a change, such as `event` of `event.created`. undefined: a change of another kind. */
export function typeOfChange({ kind }: { readonly kind: string }): ChangeType | undefined {
  const noun = kind.split('.', 1)[0];
  return CHANGE_TYPES.find((type) => type === noun);
}
