import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { hashPassword } from '../../platform/auth/hashing.js';
import { mustHave } from '../../errors/api-error.js';
import type { Input } from '../../platform/http/fields/input.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { checkTexts } from '../../platform/http/fields/stored-texts.js';
import type { ImageMeasures } from '../../platform/images/image-probe.js';
import { ImagesService } from '../../platform/images/images.service.js';
import { readPublication, type SentPublication } from '../../posts/post.publication.js';
import type { EventByIdDto } from '../event.dto.js';
import { type PlannedLinks, EventReferences, type KnownReferences } from './references.js';
import { checkSentDates, readSchedule, type Schedule } from './dates.js';
import { checkCost } from '../event.values.js';

/** A write that passed all checks that do not need its stored record. */
export interface EventDraft {
  readonly dto: EventByIdDto;
  readonly publication: SentPublication;
  /** undefined for an update, whose dates depend on the stored record. */
  readonly schedule: Schedule | undefined;
  readonly plan: PlannedLinks;
  /** The type and size of a new image, measured by downloading it. */
  readonly image: ImageMeasures | undefined;
  /** undefined: not sent. null: removes the password. */
  readonly passwordHash: string | null | undefined;
  /** The identity in calendar programs that an imported event comes with (ical 3). */
  readonly uid?: string | undefined;
}

/**
 * Checks writes before their records are read (contract section 6, Order of checks). Runs before the transaction, so that
 * no lock waits for image downloads or password hashing.
 */
@Injectable()
export class EventDrafts {
  constructor(
    private readonly database: Database,
    private readonly references: EventReferences,
    private readonly images: ImagesService,
  ) {}

  /** Looks up the records that several writes refer to, for `read`. */
  findReferences(inputs: readonly Input<EventByIdDto>[], context: RequestContext): Promise<KnownReferences> {
    const dtos = inputs.map(({ dto }) => dto);
    return this.references.find(this.database, dtos, context);
  }

  /** Throws one error with all problems, then a 403 if the caller lacks the capability. */
  async read(
    { dto, problems }: Input<EventByIdDto>,
    known: KnownReferences,
    mode: 'create' | 'update',
    context: RequestContext,
  ): Promise<EventDraft> {
    const { caller } = context;
    const publication = readPublication(dto, context, problems);
    const schedule = mode === 'create' ? readSchedule(dto, undefined, context, problems) : undefined;
    if (mode === 'create') checkCost(dto, undefined, context, problems);
    else checkSentDates(dto, context, problems);
    const plan = await this.references.check(this.database, dto, known, mode, context, problems);
    const image = await this.images.probe(dto.image, caller, problems, 'image');
    // Measures texts as they will be stored. Skips cleaning their HTML if the write fails anyway.
    if (mode === 'create' && problems.isEmpty) checkTexts(dto, undefined, context, problems);
    problems.throwIfAny();
    mustHave(caller, 'edit_posts');
    const passwordHash = typeof dto.password === 'string' ? await hashPassword(dto.password) : dto.password;
    return { dto, publication, schedule, plan, image, passwordHash };
  }
}
