import { Controller, Get } from '@nestjs/common';
import { CategoriesService } from '../categories/categories.service.js';
import { ApiExcludeController } from '../platform/http/api-decorators.js';
import { type Reply, replyOf } from '../platform/http/reply.js';
import { Context, SlugParam } from '../platform/http/param-decorators.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { Urls } from '../platform/http/base-url.js';
import { TagsService } from '../tags/tags.service.js';

/** The URLs outside the mounts. All redirect to the canonical mount (contract 1.1). */
@ApiExcludeController()
@Controller()
export class SiteController {
  constructor(
    private readonly categories: CategoriesService,
    private readonly tags: TagsService,
  ) {}

  @Get()
  home(@Context() { urls }: RequestContext): Reply {
    return redirectTo(`${urls.apiRoot}/doc`);
  }

  @Get('event/:slug')
  event(@SlugParam() slug: string, @Context() { urls }: RequestContext): Reply {
    return redirectTo(bySlug(urls, 'events', slug));
  }

  @Get('venue/:slug')
  venue(@SlugParam() slug: string, @Context() { urls }: RequestContext): Reply {
    return redirectTo(bySlug(urls, 'venues', slug));
  }

  @Get('organizer/:slug')
  organizer(@SlugParam() slug: string, @Context() { urls }: RequestContext): Reply {
    return redirectTo(bySlug(urls, 'organizers', slug));
  }

  @Get('events/category/:slug')
  async category(@SlugParam() slug: string, @Context() { urls }: RequestContext): Promise<Reply> {
    return redirectTo(urls.record('categories', await this.categories.getIdBySlug(slug)));
  }

  @Get('tag/:slug')
  async tag(@SlugParam() slug: string, @Context() { urls }: RequestContext): Promise<Reply> {
    return redirectTo(urls.record('tags', await this.tags.getIdBySlug(slug)));
  }
}

function redirectTo(redirect: string): Reply {
  return replyOf({ body: {}, redirect });
}

function bySlug(urls: Urls, collection: string, slug: string): string {
  return `${urls.collection(collection)}/by-slug/${encodeURIComponent(slug)}`;
}
