import { EventDto } from '../../events/event.dto.js';
import { type Field, fieldsOf } from '../../platform/http/fields/field-metadata.js';
import { OrganizerDto } from '../../organizers/organizer.dto.js';
import { VenueDto } from '../../venues/venue.dto.js';

/** Fields that an export tells in another form than that of their column. */
const TOLD_OTHERWISE = {
  venue: ['venue'],
  organizer: ['organizer'],
  event: ['title', 'start_date', 'end_date', 'cost', 'categories', 'tags', 'post_parent'],
};
const OF_ALL = ['status', 'author', 'date', 'date_utc', 'slug', 'image', 'description'];

export type CarriedRecord = keyof typeof TOLD_OTHERWISE;

/** The fields of a write that stand in the column of their name: an export carries them as they are, new ones, too. */
const FIELDS: Record<CarriedRecord, readonly Field[]> = {
  venue: carried('venue', VenueDto),
  organizer: carried('organizer', OrganizerDto),
  event: carried('event', EventDto),
};

function carried(record: CarriedRecord, dto: new () => object): readonly Field[] {
  const others = [...OF_ALL, ...TOLD_OTHERWISE[record]];
  return fieldsOf(dto).filter((field) => !others.includes(field.name) && !isLink(field));
}

/** Records that may be sent in full stand in tables of their own. */
function isLink({ forms = [] }: Field): boolean {
  return forms.some((form) => typeof form === 'function');
}

/** Their columns, of the table `p`. */
export function plainColumns(record: CarriedRecord): string {
  return FIELDS[record].map(({ name }) => `p.${name}`).join(', ');
}

/** Their values as a write takes them: of a switch the column holds 0 or 1. */
export function plainValues(record: CarriedRecord, row: object): Record<string, unknown> {
  const columns = row as Record<string, unknown>;
  const values = FIELDS[record].map((field) => {
    const stored = columns[field.name];
    return [field.name, typeof stored === 'number' ? field.coerce(stored) : stored] as const;
  });
  return Object.fromEntries(values);
}
