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

/** A write that was found right, as far as it can be without the record it changes. */
export interface EventDraft {
  readonly dto: EventByIdDto;
  readonly publication: SentPublication;
  /** Undefined for an update: that one is read beside what is stored. */
  readonly schedule: Schedule | undefined;
  readonly plan: PlannedLinks;
  /** What the net told of a new image. */
  readonly image: ImageMeasures | undefined;
  /** undefined: not sent; null: none from now on. */
  readonly passwordHash: string | null | undefined;
}

/**
 * The checks of a write that come before its record is looked up (contract section 6, Order of checks). They run before
 * the transaction, with what takes its time: no lock waits for the net, or for a password's key.
 */
@Injectable()
export class EventDrafts {
  constructor(
    private readonly database: Database,
    private readonly references: EventReferences,
    private readonly images: ImagesService,
  ) {}

  /** What several writes refer to, looked up for `read`. */
  known(inputs: readonly Input<EventByIdDto>[], context: RequestContext): Promise<KnownReferences> {
    const dtos = inputs.map(({ dto }) => dto);
    return this.references.find(this.database, dtos, context);
  }

  /** Refuses with all that is wrong in one answer, then for want of the role-level right. */
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
    // Texts are cleaned where nothing is wrong, and measured as they will be stored.
    if (mode === 'create' && problems.isEmpty) checkTexts(dto, undefined, context, problems);
    problems.throwIfAny();
    mustHave(caller, 'edit_posts');
    const passwordHash = typeof dto.password === 'string' ? await hashPassword(dto.password) : dto.password;
    return { dto, publication, schedule, plan, image, passwordHash };
  }
}
