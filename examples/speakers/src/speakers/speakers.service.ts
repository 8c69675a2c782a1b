import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { LinkedPostCrud } from '../linked-posts/linked-post.crud.js';
import { ImagesService } from '../platform/images/images.service.js';
import type { SpeakerRow } from './speaker.entity.js';
import { SPEAKER } from './speaker.kind.js';
import { presentSpeaker } from './speaker.presenter.js';

/** Speakers are linked posts: list, read, create, update and remove come from there. */
@Injectable()
export class SpeakersService extends LinkedPostCrud<SpeakerRow> {
  constructor(database: Database, images: ImagesService) {
    super(database, images, SPEAKER, presentSpeaker);
  }
}
