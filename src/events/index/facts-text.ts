import { TABLES } from '../../database/sql/tables.js';
import type { PostStatus } from '../../kernel/post-status.js';
import { toSeconds } from '../../kernel/time/epoch-seconds.js';
import { byName, LINKED, LINKED_NAMES, type LinkedName } from '../event.link-kinds.js';
import { type EventFacts, NEVER } from './event-facts.js';

/** Follows each value. No value contains it. */
const BAR = '|';
/** Ends an event, or a link, in a text of several. It shows that the last one is whole. */
const END = ';';
/** Between several. `group_concat` puts it there by default. */
const COMMA = ',';
/** Stands for null and for no ids. */
const NONE = '-';
const DIGIT_0 = '0'.charCodeAt(0);

type LinkKind = LinkedName | 'term';
const LINK_KINDS: readonly LinkKind[] = ['term', ...LINKED_NAMES];
const LINK_TABLES: Readonly<Record<LinkKind, { readonly linkTable: string; readonly linkColumn: string }>> = {
  ...byName((name) => LINKED[name].kind),
  term: { linkTable: TABLES.eventTerms, linkColumn: 'term_id' },
};

const orNone = (value: string) => `coalesce(${value}, '${NONE}')`;
const withBars = (values: readonly string[]) => `concat_ws('${BAR}', ${values.join(', ')})`;

/** The columns of an event, in the order in which `factsFrom` takes them. */
const COLUMNS = [
  'e.id',
  'e.start_utc',
  'e.end_utc',
  orNone('e.public_from'),
  'e.status',
  orNone('e.trashed_from'),
  'e.hide_from_listings',
  'e.featured',
  'e.ticketed',
  'e.password_hash IS NOT NULL',
  'e.author_id',
  'e.post_parent',
];

/** The ids that an event is linked with. */
const LINKS = LINK_KINDS.map((kind) => {
  const { linkTable, linkColumn } = LINK_TABLES[kind];
  return orNone(`(SELECT group_concat(l.${linkColumn}) FROM ${linkTable} l WHERE l.event_id = e.id)`);
});

/** SQL of all facts of an event `e`. A text takes less time than columns. */
export const FACTS_TEXT = withBars([...COLUMNS, ...LINKS, `''`]);

/** Rows of a table as one text, which takes several times less time than a text each. */
export interface TextSource {
  readonly table: string;
  /** The id of the event. */
  readonly id: string;
  /** SQL of one text. It has less than 512 characters: MariaDB would create a table on the disk for more. */
  readonly text: string;
}

const ended = (values: readonly string[]) => `concat_ws('', ${withBars(values)}, '${END}')`;

/** Events without their links. */
export const EVENT_TEXTS: TextSource = { table: `${TABLES.events} e`, id: 'e.id', text: ended(COLUMNS) };

/** The links of all kinds. */
export const LINK_TEXTS: readonly TextSource[] = LINK_KINDS.map((kind) => {
  const { linkTable, linkColumn } = LINK_TABLES[kind];
  return { table: `${linkTable} l`, id: 'l.event_id', text: ended(['l.event_id', `l.${linkColumn}`]) };
});

/** Texts of a source together. */
export interface Texts {
  readonly text: string;
  /** The number of texts, even if the database has cut their sum. */
  readonly count: number;
}

/** Returns the facts in a `FACTS_TEXT`. */
export function factsInText(text: string): EventFacts {
  const values = new Values(text);
  return factsFrom(values, () => values.numbers());
}

/** Returns the facts in texts of all sources. undefined: the database has cut one of them. */
export function factsInTexts(events: Texts, links: readonly Texts[]): EventFacts[] | undefined {
  // First, because no value ends where a text was cut.
  if (![events, ...links].every(({ text, count }) => count === 0 || text.endsWith(END))) return undefined;
  const found = links.map(linksIn);
  const facts: EventFacts[] = [];
  const linksOf = (kind: LinkKind, id: number) => found[LINK_KINDS.indexOf(kind)]?.get(id) ?? NO_IDS;
  for (const values = new Values(events.text); !values.isAtEnd;) facts.push(factsFrom(values, linksOf));
  return facts.length === events.count && found.every((of) => of !== undefined) ? facts : undefined;
}

/** Returns the ids of links by the id of the event. undefined: the text has only some of the links. */
function linksIn({ text, count }: Texts): ReadonlyMap<number, readonly number[]> | undefined {
  const links = new Map<number, number[]>();
  let read = 0;
  for (const values = new Values(text); !values.isAtEnd; read += 1) {
    const [event, linked] = [values.number(), values.number()];
    const known = links.get(event);
    if (known === undefined) links.set(event, [linked]);
    else known.push(linked);
  }
  return read === count ? links : undefined;
}

const NO_IDS: readonly number[] = [];

function factsFrom(values: Values, linksOf: (kind: LinkKind, id: number) => readonly number[]): EventFacts {
  const id = values.number();
  return {
    id,
    start: toSeconds(values.text()),
    end: toSeconds(values.text()),
    publicFrom: values.isNone() ? NEVER : toSeconds(values.text()),
    status: values.text() as PostStatus,
    trashedFrom: values.isNone() ? null : (values.text() as PostStatus),
    isHidden: values.number() === 1,
    isFeatured: values.number() === 1,
    isTicketed: values.number() === 1,
    isProtected: values.number() === 1,
    authorId: values.number(),
    parentId: values.number(),
    termIds: linksOf('term', id),
    linkedIds: byName((name) => linksOf(name, id)),
  };
}

/** Takes one value after the other from a text, which is several times faster than splitting it. */
class Values {
  private at = 0;

  constructor(private readonly all: string) {}

  get isAtEnd(): boolean {
    return this.at >= this.all.length;
  }

  text(): string {
    const end = this.all.indexOf(BAR, this.at);
    const value = this.all.slice(this.at, end);
    this.passUntil(end);
    return value;
  }

  number(): number {
    let value = 0;
    for (; this.isDigit(); this.at += 1) value = value * 10 + this.all.charCodeAt(this.at) - DIGIT_0;
    this.passUntil(this.at);
    return value;
  }

  /** Takes ids with commas in between. */
  numbers(): number[] {
    return this.isNone() ? [] : this.text().split(COMMA).map(Number);
  }

  /** Passes a value that stands for none. */
  isNone(): boolean {
    if (!this.all.startsWith(NONE, this.at)) return false;
    this.passUntil(this.at + NONE.length);
    return true;
  }

  /** Passes the bar after a value, or the end after the last one and the comma before the next text. */
  private passUntil(end: number): void {
    this.at = end + BAR.length;
    if (this.all.startsWith(COMMA, this.at)) this.at += COMMA.length;
  }

  private isDigit(): boolean {
    const code = this.all.charCodeAt(this.at) - DIGIT_0;
    return code >= 0 && code <= 9;
  }
}
