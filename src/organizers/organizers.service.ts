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
import type { OrganizerDto } from './organizer.dto.js';
import type { OrganizerRow } from './organizer.entity.js';
import { ORGANIZER } from './organizer.kind.js';
import { presentOrganizer } from './organizer.presenter.js';

/** Organizers are linked posts; what they do is done there. */
@Injectable()
export class OrganizersService {
  private readonly organizers: LinkedPostCrud<OrganizerRow>;

  constructor(database: Database, images: ImagesService) {
    this.organizers = new LinkedPostCrud(database, images, ORGANIZER, presentOrganizer);
  }

  list(input: Input<LinkedPostParams>, context: RequestContext): Promise<Reply> {
    return this.organizers.list(input, context);
  }

  read(address: IdOrSlug, context: RequestContext): Promise<Reply> {
    return this.organizers.read(address, context);
  }

  create(input: Input<OrganizerDto>, context: RequestContext): Promise<Reply> {
    return this.organizers.create(input, context);
  }

  update(address: IdOrSlug, input: Input<OrganizerDto>, context: RequestContext): Promise<Reply> {
    return this.organizers.update(address, input, context);
  }

  remove(address: IdOrSlug, input: Input<PostDeletion>, context: RequestContext): Promise<Reply> {
    return this.organizers.remove(address, input, context);
  }
}
