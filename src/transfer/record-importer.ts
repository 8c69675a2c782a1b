import { Injectable } from '@nestjs/common';
import { CategoryDto } from '../categories/category.dto.js';
import { CategoriesService } from '../categories/categories.service.js';
import { Database } from '../database/database.js';
import { TABLES } from '../database/tables.js';
import { OrganizerDto } from '../organizers/organizer.dto.js';
import { OrganizersService } from '../organizers/organizers.service.js';
import { ApiError } from '../platform/errors/api-error.js';
import type { Answer } from '../platform/http/answer.js';
import { readInput } from '../platform/http/input.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { TagDto } from '../tags/tag.dto.js';
import { TagsService } from '../tags/tags.service.js';
import { VenueDto } from '../venues/venue.dto.js';
import { VenuesService } from '../venues/venues.service.js';
import type { RecordName } from './export.lines.js';
import { lineKey } from './line-key.js';

type Values = Record<string, unknown>;
type Create = (values: Values, context: RequestContext) => Promise<Answer>;
export type LinkedName = Exclude<RecordName, 'event'>;

interface Kind {
  readonly table: string;
  readonly create: Create;
}

/** Imports venues, organizers, categories and tags, each as the POST of its route would create it. */
@Injectable()
export class RecordImporter {
  private readonly kinds: Record<LinkedName, Kind>;

  constructor(
    private readonly database: Database,
    venues: VenuesService,
    organizers: OrganizersService,
    categories: CategoriesService,
    tags: TagsService,
  ) {
    this.kinds = {
      category: creating(TABLES.terms, CategoryDto, (input, context) => categories.create(input, context)),
      tag: creating(TABLES.terms, TagDto, (input, context) => tags.create(input, context)),
      venue: creating(TABLES.venues, VenueDto, (input, context) => venues.create(input, context)),
      organizer: creating(TABLES.organizers, OrganizerDto, (input, context) => organizers.create(input, context)),
    };
  }

  isKnown(record: string): record is LinkedName {
    return Object.hasOwn(this.kinds, record);
  }

  /** The id of the record that this very line made before. `original`: the line as it is in the file. */
  async findKnown(record: LinkedName, original: Values): Promise<number | undefined> {
    const [row] = await this.database.query<{ record_id: number }>(
      `SELECT i.record_id FROM ${TABLES.importedRecords} i JOIN ${this.kinds[record].table} r ON r.id = i.record_id
       WHERE i.line_key = ?`,
      [lineKey(original)],
    );
    return row?.record_id;
  }

  /** Creates the record, or takes the one that is equal already, and answers its id. */
  async add(record: LinkedName, original: Values, values: Values, context: RequestContext): Promise<number> {
    const id = await this.create(record, values, context);
    await this.database.inTransaction(async (tx) => {
      const key = lineKey(original);
      await tx.execute(`DELETE FROM ${TABLES.importedRecords} WHERE line_key = ?`, [key]);
      await tx.insertMany(TABLES.importedRecords, [{ line_key: key, record_id: id }]);
    });
    return id;
  }

  private async create(record: LinkedName, values: Values, context: RequestContext): Promise<number> {
    try {
      return ((await this.kinds[record].create(values, context)).body as { id: number }).id;
    } catch (error) {
      // A term of this name is there: it is the one.
      const id = error instanceof ApiError ? error.extras.data?.term_id : undefined;
      if (typeof id === 'number') return id;
      throw error;
    }
  }
}

function creating<Dto extends object>(
  table: string,
  dto: new () => Dto,
  create: (input: ReturnType<typeof readInput<Dto>>, context: RequestContext) => Promise<Answer>,
): Kind {
  return { table, create: (values, context) => create(readInput(dto, 'create', values), context) };
}
