import { EventDto } from '../../events/event.dto.js';
import { type Field, fieldsOf } from '../../platform/http/fields/field-metadata.js';
import { OrganizerDto } from '../../organizers/organizer.dto.js';
import { VenueDto } from '../../venues/venue.dto.js';

/** Fields whose form in an export differs from that of their column. */
const CONVERTED_FIELDS = {
  venue: ['venue'],
  organizer: ['organizer'],
  event: ['title', 'start_date', 'end_date', 'cost', 'categories', 'tags', 'post_parent'],
};
const POST_FIELDS = ['status', 'author', 'date', 'date_utc', 'slug', 'image', 'description'];

export type ExportedRecord = keyof typeof CONVERTED_FIELDS;

/** The fields that have a column of the same name. Exports contain their values unchanged, also those of new fields. */
const FIELDS: Record<ExportedRecord, readonly Field[]> = {
  venue: plainFields('venue', VenueDto),
  organizer: plainFields('organizer', OrganizerDto),
  event: plainFields('event', EventDto),
};

function plainFields(record: ExportedRecord, dto: new () => object): readonly Field[] {
  const others = [...POST_FIELDS, ...CONVERTED_FIELDS[record]];
  return fieldsOf(dto).filter((field) => !others.includes(field.name) && !isLink(field));
}

/** Whether a field contains linked records, which have their own tables. */
function isLink({ forms = [] }: Field): boolean {
  return forms.some((form) => typeof form === 'function');
}

/** Returns the columns of these fields, with the table alias `p`. */
export function plainColumns(record: ExportedRecord): string {
  return FIELDS[record].map(({ name }) => `p.${name}`).join(', ');
}

/** Returns the values of these fields in the form of a request. Flags are 0 or 1 in columns. */
export function plainValues(record: ExportedRecord, row: object): Record<string, unknown> {
  const columns = row as Record<string, unknown>;
  const values = FIELDS[record].map((field) => {
    const stored = columns[field.name];
    return [field.name, typeof stored === 'number' ? field.coerce(stored) : stored] as const;
  });
  return Object.fromEntries(values);
}
