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
import type { VenueDto } from './venue.dto.js';
import type { VenueRow } from './venue.entity.js';
import { VENUE } from './venue.kind.js';
import { presentVenue } from './venue.presenter.js';

/** Venues are linked posts; what they do is done there. */
@Injectable()
export class VenuesService {
  private readonly venues: LinkedPostCrud<VenueRow>;

  constructor(database: Database, images: ImagesService) {
    this.venues = new LinkedPostCrud(database, images, VENUE, presentVenue);
  }

  list(input: Input<LinkedPostParams>, context: RequestContext): Promise<Reply> {
    return this.venues.list(input, context);
  }

  read(address: IdOrSlug, context: RequestContext): Promise<Reply> {
    return this.venues.read(address, context);
  }

  create(input: Input<VenueDto>, context: RequestContext): Promise<Reply> {
    return this.venues.create(input, context);
  }

  update(address: IdOrSlug, input: Input<VenueDto>, context: RequestContext): Promise<Reply> {
    return this.venues.update(address, input, context);
  }

  remove(address: IdOrSlug, input: Input<PostDeletion>, context: RequestContext): Promise<Reply> {
    return this.venues.remove(address, input, context);
  }
}
