import { Injectable } from '@nestjs/common';
import { CategoryDto } from '../../categories/category.dto.js';
import { CategoriesService } from '../../categories/categories.service.js';
import { Database } from '../../database/database.js';
import { TABLES } from '../../database/sql/tables.js';
import type { PostStatus } from '../../kernel/post-status.js';
import { OrganizerDto } from '../../organizers/organizer.dto.js';
import { OrganizersService } from '../../organizers/organizers.service.js';
import type { Reply } from '../../platform/http/reply.js';
import { type Input, readInput } from '../../platform/http/fields/input.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { TagDto } from '../../tags/tag.dto.js';
import { TagsService } from '../../tags/tags.service.js';
import type { TermDto } from '../../terms/term.dto.js';
import type { TermRecord } from '../../terms/term.query.js';
import { VenueDto } from '../../venues/venue.dto.js';
import { VenuesService } from '../../venues/venues.service.js';
import type { RecordName } from '../lines/export-line.js';
import { lineKey } from '../lines/line-key.js';
import { alteration, type Losses, lossesOf, sumLosses } from '../lines/line-losses.js';

type Values = Record<string, unknown>;
export type ReferenceName = Exclude<RecordName, 'event'>;

/** A stored record: its id, and the values that may differ from the sent ones. */
interface Stored {
  readonly id: number;
  readonly values: Readonly<Record<string, string>>;
}

interface Kind {
  readonly table: string;
  readonly dto: new () => object;
  readonly create: (input: Input<object>, context: RequestContext) => Promise<Stored>;
}

/** An imported record. */
export interface Imported {
  readonly id: number;
  readonly losses: Losses;
}

/** Imports venues, organizers, categories and tags, like the POST of their routes. */
@Injectable()
export class RecordImporter {
  private readonly kinds: Record<ReferenceName, Kind>;

  constructor(
    private readonly database: Database,
    venues: VenuesService,
    organizers: OrganizersService,
    categories: CategoriesService,
    tags: TagsService,
  ) {
    this.kinds = {
      category: this.termKind(CategoryDto, (input, context) => categories.importTerm(input, context)),
      tag: this.termKind(TagDto, (input, context) => tags.importTerm(input, context)),
      venue: postKind(TABLES.venues, VenueDto, (input, context) => venues.create(input, context)),
      organizer: postKind(TABLES.organizers, OrganizerDto, (input, context) => organizers.create(input, context)),
    };
  }

  /** Returns the class of the fields of a record. */
  typeOf(record: ReferenceName): new () => object {
    return this.kinds[record].dto;
  }

  isKnown(record: string): record is ReferenceName {
    return Object.hasOwn(this.kinds, record);
  }

  /** Returns the id of the record that an earlier import of the same line created. `original`: the unmodified line. */
  async findKnown(record: ReferenceName, original: Values): Promise<number | undefined> {
    const [row] = await this.database.query<{ record_id: number }>(
      `SELECT i.record_id FROM ${TABLES.importedRecords} i JOIN ${this.kinds[record].table} r ON r.id = i.record_id
       WHERE i.line_key = ?`,
      [lineKey(original)],
    );
    return row?.record_id;
  }

  /** Throws if the values are invalid, as far as checks without writing can tell. */
  check(record: ReferenceName, values: Values): void {
    readInput(this.kinds[record].dto, 'create', values).problems.throwIfAny();
  }

  /**
   * Creates the record, or returns an equal one. For categories and tags, the slug identifies it. `line`: the number of the
   * line in the file.
   */
  async add(
    record: ReferenceName,
    line: number,
    original: Values,
    values: Values,
    context: RequestContext,
  ): Promise<Imported> {
    const { dto: type, create } = this.kinds[record];
    const input = readInput(type, 'create', values);
    const stored = await create(input, context);
    await this.database.inTransaction(async (tx) => {
      const key = lineKey(original);
      await tx.execute(`DELETE FROM ${TABLES.importedRecords} WHERE line_key = ?`, [key]);
      await tx.insertMany(TABLES.importedRecords, [{ line_key: key, record_id: stored.id }]);
    });
    const sent = { parent_slug: original.parent_slug, ...input.dto } as Record<string, string | null | undefined>;
    const altered = Object.entries(stored.values)
      .map(([field, value]) => [field, sent[field] ?? '', value] as const)
      .filter(([, before, after]) => before !== after);
    const storedLosses = { altered: altered.map((values) => alteration(line, ...values)), ignored: [] };
    return { id: stored.id, losses: sumLosses([lossesOf(line, type, values, input.dto), storedLosses]) };
  }

  private termKind<Dto extends TermDto & { parent?: number | null }>(
    dto: new () => Dto,
    importTerm: (input: Input<Dto>, context: RequestContext) => Promise<TermRecord>,
  ): Kind {
    const create = async (input: Input<object>, context: RequestContext) => {
      const { id, name, description, slug, parent } = await importTerm(input as Input<Dto>, context);
      const sent = (input as Input<Dto>).dto;
      const values = {
        name,
        ...(sent.slug === undefined ? {} : { slug }),
        description,
        ...((sent.parent ?? 0) === parent ? {} : { parent_slug: await this.slugOf(parent) }),
      };
      return { id, values };
    };
    return { table: TABLES.terms, dto, create };
  }

  private async slugOf(termId: number): Promise<string> {
    const [term] = await this.database.query<{ slug: string }>(`SELECT slug FROM ${TABLES.terms} WHERE id = ?`, [
      termId,
    ]);
    return term?.slug ?? '';
  }
}

/** Returns the kind of a post. Reports its stored slug, which differs if another record has the sent one. */
function postKind<Dto extends { slug?: string | null; status?: PostStatus }>(
  table: string,
  dto: new () => Dto,
  create: (input: Input<Dto>, context: RequestContext) => Promise<Reply>,
): Kind {
  return {
    table,
    dto,
    create: async (input, context) => {
      const { id, slug } = (await create(input as Input<Dto>, context)).body as { id: number; slug: string };
      const sent = (input as Input<Dto>).dto;
      const values: Stored['values'] = sent.slug === undefined || sent.status === 'trash' ? {} : { slug };
      return { id, values };
    },
  };
}
