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
import type { OrganizerDto } from './organizer.dto.js';
import type { OrganizerRow } from './organizer.entity.js';
import { ORGANIZER } from './organizer.kind.js';
import { presentOrganizer } from './organizer.presenter.js';

/** Organizers are linked posts; what they do is done there. */
@Injectable()
export class OrganizersService {
  private readonly organizers: LinkedPosts<OrganizerRow>;

  constructor(database: Database, images: ImagesService) {
    this.organizers = new LinkedPosts(database, images, ORGANIZER, presentOrganizer);
  }

  list(input: Input<LinkedPostParams>, context: RequestContext): Promise<Answer> {
    return this.organizers.list(input, context);
  }

  read(address: Address, context: RequestContext): Promise<Answer> {
    return this.organizers.read(address, context);
  }

  create(input: Input<OrganizerDto>, context: RequestContext): Promise<Answer> {
    return this.organizers.create(input, context);
  }

  update(address: Address, input: Input<OrganizerDto>, context: RequestContext): Promise<Answer> {
    return this.organizers.update(address, input, context);
  }

  remove(address: Address, input: Input<PostDeletion>, context: RequestContext): Promise<Answer> {
    return this.organizers.remove(address, input, context);
  }
}
