import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { LinkedPostCrud } from '../linked-posts/linked-post.crud.js';
import { ImagesService } from '../platform/images/images.service.js';
import type { OrganizerRow } from './organizer.entity.js';
import { ORGANIZER } from './organizer.kind.js';
import { presentOrganizer } from './organizer.presenter.js';

/** The operations on organizers: list, read, create, update and remove are inherited. */
@Injectable()
export class OrganizersService extends LinkedPostCrud<OrganizerRow> {
  constructor(database: Database, images: ImagesService) {
    super(database, images, ORGANIZER, presentOrganizer);
  }
}
