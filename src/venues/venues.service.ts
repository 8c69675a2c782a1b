import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Address } from '../kernel/id-or-slug.js';
import type { LinkedPostParams } from '../linked-posts/linked-post.params.js';
import type { PostDeletion } from '../posts/post.dto.js';
import { LinkedPosts } from '../linked-posts/linked-post.crud.js';
import type { Answer } from '../platform/http/reply.js';
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
  private readonly venues: LinkedPosts<VenueRow>;

  constructor(database: Database, images: ImagesService) {
    this.venues = new LinkedPosts(database, images, VENUE, presentVenue);
  }

  list(input: Input<LinkedPostParams>, context: RequestContext): Promise<Answer> {
    return this.venues.list(input, context);
  }

  read(address: Address, context: RequestContext): Promise<Answer> {
    return this.venues.read(address, context);
  }

  create(input: Input<VenueDto>, context: RequestContext): Promise<Answer> {
    return this.venues.create(input, context);
  }

  update(address: Address, input: Input<VenueDto>, context: RequestContext): Promise<Answer> {
    return this.venues.update(address, input, context);
  }

  remove(address: Address, input: Input<PostDeletion>, context: RequestContext): Promise<Answer> {
    return this.venues.remove(address, input, context);
  }
}
