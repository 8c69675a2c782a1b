import { type EventState, isSameState, LINKS, readTitle } from './event-states.js';
import type { Entry, Ledger } from './ledger.js';
import type { Operator } from './operator.js';
import type { Topology } from './topology.js';

/** The differences between the database and the ledger. */
export interface Audit {
  /** Acknowledged writes that the database does not contain. */
  lost: number;
  /** Writes that were executed twice. */
  duplicated: number;
  /** Partly executed writes, such as links without their event, or events without their row in `changes`. */
  halfWritten: number;
  /** Descriptions of the first differences. */
  readonly examples: string[];
}

interface Found {
  readonly id: number;
  readonly state: EventState;
}

const MOST_EXAMPLES = 10;

/** Compares the database of the instances with the ledger. */
export async function auditOf(topology: Topology, ledger: Ledger): Promise<Audit> {
  const operator = await topology.connect();
  const found = await audit(operator, ledger);
  await operator.end();
  return found;
}

/** Compares a database with the ledger. */
export async function audit(operator: Operator, ledger: Ledger): Promise<Audit> {
  const result: Audit = { lost: 0, duplicated: 0, halfWritten: 0, examples: [] };
  const add = (kind: 'lost' | 'duplicated' | 'halfWritten', count: number, what: string) => {
    result[kind] += count;
    if (count > 0 && result.examples.length < MOST_EXAMPLES) result.examples.push(`${kind}: ${count} × ${what}`);
  };
  const events = await readEvents(operator);
  for (const [identity, found] of events) add('duplicated', found.length - 1, identity);
  for (const [identity, entry] of ledger.entries) {
    const [found] = events.get(identity) ?? [];
    const verdict = compare(entry, found);
    if (verdict !== undefined) add(verdict, 1, `${identity}: ${JSON.stringify({ found, ...entry })}`);
  }
  for (const [what, rows] of DUPLICATES) add('duplicated', await count(operator, rows), what);
  for (const [what, rows] of FRAGMENTS) add('halfWritten', await count(operator, rows), what);
  return result;
}

/** A write without an acknowledgement may be missing or complete, but not partial. */
function compare({ acknowledged, open }: Entry, found: Found | undefined): 'lost' | 'halfWritten' | undefined {
  if (found === undefined) return acknowledged === undefined ? undefined : 'lost';
  const isOpen = open !== undefined && readTitle(found.state.title).version === readTitle(open.title).version;
  if (isOpen) return isSameState(found.state, open) ? undefined : 'halfWritten';
  if (acknowledged === undefined || acknowledged.id !== found.id) return 'lost';
  if (acknowledged.state.title !== found.state.title) return 'lost';
  return isSameState(found.state, acknowledged.state) ? undefined : 'halfWritten';
}

/** Reads all events of the clients, grouped by the identity in their titles. */
async function readEvents(operator: Operator): Promise<Map<string, Found[]>> {
  const rows = await operator.query<{ id: number; title: string }>('SELECT id, title FROM events ORDER BY id');
  const states = new Map<number, Record<string, string[]> & { title: string }>();
  for (const { id, title } of rows) {
    states.set(id, { title, venues: [], organizers: [], categories: [], tags: [] } as never);
  }
  for (const sql of LINKED) {
    const links = await operator.query<{ id: number; kind: string; name: string }>(sql);
    for (const { id, kind, name } of links) {
      states.get(id)?.[kind]?.push(name);
    }
  }
  const events = new Map<string, Found[]>();
  for (const [id, state] of states) {
    for (const kind of LINKS) state[kind]?.sort();
    const { identity } = readTitle(state.title);
    events.set(identity, [...(events.get(identity) ?? []), { id, state: state as unknown as EventState }]);
  }
  return events;
}

const LINKED = [
  `SELECT l.event_id AS id, 'venues' AS kind, v.title AS name FROM event_venues l JOIN venues v ON v.id = l.venue_id`,
  `SELECT l.event_id AS id, 'organizers' AS kind, o.title AS name
   FROM event_organizers l JOIN organizers o ON o.id = l.organizer_id`,
  `SELECT l.event_id AS id, CASE t.taxonomy WHEN 'post_tag' THEN 'tags' ELSE 'categories' END AS kind, t.name
   FROM event_terms l JOIN terms t ON t.id = l.term_id`,
];

/** Clients use the same names for venues, organizers and terms, so each name must exist once. */
const DUPLICATES: readonly [what: string, rows: string][] = [
  ['venues of one name', '(SELECT title FROM venues GROUP BY title HAVING count(*) > 1) d'],
  ['organizers of one name', '(SELECT title FROM organizers GROUP BY title HAVING count(*) > 1) d'],
  ['terms of one name', '(SELECT name FROM terms GROUP BY taxonomy, name HAVING count(*) > 1) d'],
  ['events created twice', creations('events', 'event.created', '> 1')],
];

const FRAGMENTS: readonly [what: string, rows: string][] = [
  ...[
    ['event_venues', 'venue_id', 'venues'],
    ['event_organizers', 'organizer_id', 'organizers'],
    ['event_terms', 'term_id', 'terms'],
  ].flatMap(([table, column, linked]): [string, string][] => [
    [`${table} of no event`, `${table} l WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.id = l.event_id)`],
    [`${table} to nothing`, `${table} l WHERE NOT EXISTS (SELECT 1 FROM ${linked} r WHERE r.id = l.${column})`],
  ]),
  ['events whose creation is not recorded', creations('events', 'event.created', '= 0')],
  ['venues whose creation is not recorded', creations('venues', 'venue.created', '= 0')],
  ['records under the slug of the moment of their creation', "events WHERE slug = '' OR slug LIKE '?%'"],
  ['changes beyond the last commit', 'changes WHERE seq > (SELECT version FROM data_version)'],
];

function creations(table: string, kind: string, comparison: string): string {
  const made = `SELECT record_id, count(*) AS times FROM changes WHERE kind = '${kind}' GROUP BY record_id`;
  return `${table} r LEFT JOIN (${made}) c ON c.record_id = r.id WHERE coalesce(c.times, 0) ${comparison}`;
}

async function count(operator: Operator, rows: string): Promise<number> {
  const [row] = await operator.query<{ found: number }>(`SELECT count(*) AS found FROM ${rows}`);
  return Number(row?.found);
}
