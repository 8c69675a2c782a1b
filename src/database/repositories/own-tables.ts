import { TABLES } from '../sql/tables.js';
import { droppedIndex, writtenTables } from './statement.js';

/** The tables that only this service may write, with the service to call instead. */
const SERVICES: Readonly<Record<string, string | undefined>> = {
  [TABLES.events]: 'EventsService',
  [TABLES.eventVenues]: 'EventsService',
  [TABLES.eventOrganizers]: 'EventsService',
  [TABLES.eventTerms]: 'EventsService',
  [TABLES.venues]: 'VenuesService',
  [TABLES.organizers]: 'OrganizersService',
  [TABLES.terms]: 'CategoriesService or TagsService',
  [TABLES.users]: 'UsersService',
  [TABLES.tokens]: 'UsersService',
  [TABLES.images]: 'ImagesService',
};

const OWN_TABLES: ReadonlySet<string> = new Set([...Object.values(TABLES), 'migrations', 'migration_lock']);

/** Throws if a write of a module changes a table of this service, whose counts, caches and change record it would miss. */
export function mustNotWriteOwnTables(sql: string): void {
  const table = writtenTables(sql).find((name) => OWN_TABLES.has(name)) ?? tableOfIndex(droppedIndex(sql));
  if (table === undefined) return;
  const service = SERVICES[table];
  const call = service === undefined ? 'Use' : `Call ${service}, or use`;
  throw new Error(
    `Repositories and the EntityManager must not write the table ${table} of this service. ${call} ` +
      '`tx` of `Database.inTransaction` (`tx.execute` and `tx.recordChange`).',
  );
}

/** Returns the table of this service to which an index belongs by its name: `ix_TABLE_…`, or `ux_TABLE_…` if it is unique. */
function tableOfIndex(index = ''): string | undefined {
  return [...OWN_TABLES].find((table) => index.startsWith(`ix_${table}_`) || index.startsWith(`ux_${table}_`));
}
