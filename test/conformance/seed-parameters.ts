/** The parameter tables of the original interface, as data: `name: type`, `name: type = default`; `-` declares no type. */

export interface SeedParameter {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | undefined;
  /** Undefined: none; MOMENT: a date-time that moves with the clock. */
  readonly default: unknown;
  readonly required: boolean;
}

/** Stands for a default of the form `YYYY-MM-DD HH:MM:SS`. */
export const MOMENT = Symbol('a date-time');

const TYPES = {
  string: 'string',
  integer: 'integer',
  double: 'number',
  boolean: 'boolean',
  ids: 'array',
  '-': undefined,
} as const;
const DEFAULTS: Record<string, unknown> = { moment: MOMENT, null: null, false: false, '`1`': '1' };

function table(text: string): SeedParameter[] {
  const rows = text
    .trim()
    .split(',')
    .map((row) => /^\s*(\w+)(!?):\s*(\S+?)\s*(?:=\s*(.+?)\s*)?$/.exec(row) as RegExpExecArray);
  return rows.map(([, name = '', required, type, value]) => ({
    name,
    type: TYPES[type as keyof typeof TYPES],
    default:
      value === undefined
        ? undefined
        : value in DEFAULTS
          ? DEFAULTS[value]
          : /^\d+$/.test(value)
            ? Number(value)
            : value,
    required: required === '!',
  }));
}

const EVENT_FIELDS = `title!: string, start_date!: string, end_date!: string, description: string, excerpt: string,
  slug: string, status: string, author: integer, date: string, date_utc: string, timezone: string,
  all_day: boolean = false, image: string, cost: -, website: - = null, show_map: boolean, show_map_link: boolean,
  hide_from_listings: boolean, sticky: boolean, featured: boolean, categories: ids = null, tags: ids = null,
  venue: ids = null, organizer: ids = null`;
const VENUE_FIELDS = `venue!: string = null, description: string = null, status: string, author: integer, date: string,
  date_utc: string, show_map: string = null, show_map_link: string = null, address: string = null,
  city: string = null, country: string = null, province: string = null, state: string = null,
  stateprovince: string = null, zip: string = null, phone: string = null, website: string = null, image: string = null`;
const ORGANIZER_FIELDS = `organizer!: string = null, description: string = null, status: string = null,
  author: integer = null, date: string = null, date_utc: string = null, phone: string = null, website: string = null,
  email: string = null, image: string = null`;
const TAG_FIELDS = 'name!: string, description: string, slug: string';
const CATEGORY_FIELDS = `${TAG_FIELDS}, parent: integer`;

const EVENT_LIST = `page: integer = 1, per_page: integer = 10, start_date: - = moment, end_date: - = moment,
  starts_before: -, starts_after: -, ends_before: -, ends_after: -, strict_dates: - = false, search: string,
  categories: ids, tags: ids, venue: ids, organizer: ids, featured: boolean, status: string, geoloc: boolean,
  geoloc_lat: double, geoloc_lng: double, include: ids, post_parent: integer, ticketed: boolean`;
const LINKED_LIST = `page: integer = 1, per_page: integer = 10, search: string, event: integer, has_events: -,
  only_with_upcoming: - = false, status: string`;
const TAG_LIST = `page: integer = 1, per_page: integer = 10, search: string, exclude: ids, include: ids, order: string,
  orderby: string, hide_empty: boolean = \`1\`, post: integer, event: integer, slug: string`;

const optional = (parameters: SeedParameter[]) => parameters.map((parameter) => ({ ...parameter, required: false }));

/** Parameters by path below the mount and kind of endpoint; path placeholders are left out. */
export const SEED_PARAMETERS: Record<
  string,
  { GET?: SeedParameter[]; POST?: SeedParameter[]; DELETE?: SeedParameter[] }
> = {
  '': { GET: table('namespace: - = calendar/events/v1, context: - = view') },
  '/doc': { GET: [] },
  '/events': { GET: table(EVENT_LIST), POST: table(EVENT_FIELDS) },
  '/events/{id}': {
    GET: table('password: string'),
    POST: optional(table(`password: string, ${EVENT_FIELDS}`)),
    DELETE: table('password: string'),
  },
  '/events/by-slug/{slug}': { GET: [], POST: optional(table(EVENT_FIELDS)), DELETE: [] },
  '/venues': { GET: table(LINKED_LIST), POST: table(VENUE_FIELDS) },
  '/venues/{id}': { GET: [], POST: optional(table(VENUE_FIELDS)), DELETE: [] },
  '/venues/by-slug/{slug}': { GET: [], POST: optional(table(VENUE_FIELDS)), DELETE: [] },
  '/organizers': { GET: table(LINKED_LIST), POST: table(ORGANIZER_FIELDS) },
  '/organizers/{id}': { GET: [], POST: optional(table(ORGANIZER_FIELDS)), DELETE: [] },
  '/organizers/by-slug/{slug}': { GET: [], POST: optional(table(ORGANIZER_FIELDS)), DELETE: [] },
  '/categories': {
    GET: table(TAG_LIST.replace('post:', 'parent: integer, post:')),
    POST: table(CATEGORY_FIELDS),
  },
  '/categories/{id}': { GET: [], POST: optional(table(CATEGORY_FIELDS)), DELETE: [] },
  '/tags': { GET: table(TAG_LIST), POST: table(TAG_FIELDS) },
  '/tags/{id}': { GET: [], POST: optional(table(TAG_FIELDS)), DELETE: [] },
};
