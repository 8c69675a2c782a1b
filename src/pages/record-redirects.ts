import { Injectable } from '@nestjs/common';
import { CategoriesService } from '../categories/categories.service.js';
import { apiError } from '../errors/api-error.js';
import { lookupSlug } from '../kernel/text/slug.js';
import type { Urls } from '../platform/http/base-url.js';
import type { Reply } from '../platform/http/reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { TagsService } from '../tags/tags.service.js';
import { redirectReply } from './page.reply.js';

/** Redirects programs from the URL of a page to its record in the API (contract 1.1). */
@Injectable()
export class RecordRedirects {
  constructor(
    private readonly categories: CategoriesService,
    private readonly tags: TagsService,
  ) {}

  /** `page`: the name of the page. */
  async of(page: string | undefined, sentSlug: unknown, { urls }: RequestContext): Promise<Reply> {
    const slug = lookupSlug(String(sentSlug));
    switch (page) {
      case 'list':
        return redirectReply(`${urls.apiRoot}/doc`);
      case 'event':
      case 'venue':
      case 'organizer':
        return redirectReply(bySlug(urls, `${page}s`, slug));
      case 'category':
        return redirectReply(urls.record('categories', await this.categories.getIdBySlug(slug)));
      case 'tag':
        return redirectReply(urls.record('tags', await this.tags.getIdBySlug(slug)));
      default:
        throw apiError('rest_no_route');
    }
  }
}

function bySlug(urls: Urls, collection: string, slug: string): string {
  return `${urls.collection(collection)}/by-slug/${encodeURIComponent(slug)}`;
}
