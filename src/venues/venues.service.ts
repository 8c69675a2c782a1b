import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { LinkedPostCrud } from '../linked-posts/linked-post.crud.js';
import { ImagesService } from '../platform/images/images.service.js';
import type { VenueRow } from './venue.entity.js';
import { VENUE } from './venue.kind.js';
import { presentVenue } from './venue.presenter.js';

/** The operations on venues: list, read, create, update and remove are inherited. */
@Injectable()
export class VenuesService extends LinkedPostCrud<VenueRow> {
  constructor(database: Database, images: ImagesService) {
    super(database, images, VENUE, presentVenue);
  }
}
