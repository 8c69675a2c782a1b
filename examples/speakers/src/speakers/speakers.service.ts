import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { IdOrSlug } from '../kernel/id-or-slug.js';
import type { LinkedPostParams } from '../linked-posts/linked-post.params.js';
import type { PostDeletion } from '../posts/post.dto.js';
import { LinkedPostCrud } from '../linked-posts/linked-post.crud.js';
import type { Reply } from '../platform/http/reply.js';
import type { Input } from '../platform/http/fields/input.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { ImagesService } from '../platform/images/images.service.js';
import type { SpeakerDto } from './speaker.dto.js';
import type { SpeakerRow } from './speaker.entity.js';
import { SPEAKER } from './speaker.kind.js';
import { presentSpeaker } from './speaker.presenter.js';

/** Speakers are linked posts; what they do is done there. */
@Injectable()
export class SpeakersService {
  private readonly speakers: LinkedPostCrud<SpeakerRow>;

  constructor(database: Database, images: ImagesService) {
    this.speakers = new LinkedPostCrud(database, images, SPEAKER, presentSpeaker);
  }

  list(input: Input<LinkedPostParams>, context: RequestContext): Promise<Reply> {
    return this.speakers.list(input, context);
  }

  read(address: IdOrSlug, context: RequestContext): Promise<Reply> {
    return this.speakers.read(address, context);
  }

  create(input: Input<SpeakerDto>, context: RequestContext): Promise<Reply> {
    return this.speakers.create(input, context);
  }

  update(address: IdOrSlug, input: Input<SpeakerDto>, context: RequestContext): Promise<Reply> {
    return this.speakers.update(address, input, context);
  }

  remove(address: IdOrSlug, input: Input<PostDeletion>, context: RequestContext): Promise<Reply> {
    return this.speakers.remove(address, input, context);
  }
}
