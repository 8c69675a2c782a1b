import { Injectable } from '@nestjs/common';
import { CategoriesService } from '../categories/categories.service.js';
import { Environment } from '../config/environment.js';
import { NAMESPACE } from '../config/mounts.js';
import { apiError } from '../errors/api-error.js';
import { lookupSlug } from '../kernel/text/slug.js';
import { OrganizersService } from '../organizers/organizers.service.js';
import type { KalendsRequest } from '../platform/http/request.js';
import { PipelineStage, type Stage } from '../platform/http/pipeline/stage.js';
import { isServable } from '../platform/http/routing/route-table.js';
import { TagsService } from '../tags/tags.service.js';
import { VenuesService } from '../venues/venues.service.js';
import { type SubscribedFeed, subscribedFeed } from './subscribed-address.js';

/** The feeds that addresses of subscribers name, until their slugs are looked up. */
const FEEDS = new WeakMap<KalendsRequest, SubscribedFeed>();

/** Whether a request has no such address. The slug of one is looked up in the database. */
const isOther = (request: KalendsRequest) => !FEEDS.has(request);

/**
 * Turns an address that subscribers of a site of The Events Calendar have into that of our feed, so that both have the
 * same response (ical ICS-30). Not by a redirect, which some subscribers do not follow. Comes before the URL is matched.
 */
@PipelineStage('before-url')
@Injectable()
export class SubscribedAddressStage implements Stage {
  readonly isRepeatable = isOther;

  constructor(private readonly environment: Environment) {}

  handle(request: KalendsRequest): boolean {
    if (request.routePath !== undefined || request.namespaces !== undefined || !isServable(request.path)) return false;
    const { LANGUAGES, SITE_URL } = this.environment;
    const feed = subscribedFeed(request.path, queryOf(request), LANGUAGES);
    if (feed === undefined) return false;
    // The website has the pages, and its own feeds.
    if (SITE_URL !== undefined) throw apiError('rest_no_route');
    FEEDS.set(request, feed);
    useRoute(request, feed.kind === 'event' ? `/events/by-slug/${feed.slug}.ics` : '/events.ics');
    return false;
  }
}

/** Looks up the slug of such an address: after the rate limit, because it reads the database. */
@PipelineStage('before-route')
@Injectable()
export class SubscribedFilterStage implements Stage {
  readonly isRepeatable = isOther;

  constructor(
    private readonly venues: VenuesService,
    private readonly organizers: OrganizersService,
    private readonly categories: CategoriesService,
    private readonly tags: TagsService,
  ) {}

  async handle(request: KalendsRequest): Promise<boolean> {
    const feed = FEEDS.get(request);
    if (feed === undefined || feed.kind === 'all' || feed.kind === 'event' || request.method === 'OPTIONS')
      return false;
    const [name, value] = await this.filterOf(feed.kind, lookupSlug(decodeURIComponent(feed.slug)), request);
    useRoute(request, '/events.ics', new URLSearchParams([[name, value]]).toString());
    request.queryValues = { [name]: value };
    return false;
  }

  /** Returns the filter of a page, or throws the 404 of its kind. */
  private async filterOf(
    kind: 'venue' | 'organizer' | 'category' | 'tag',
    slug: string,
    { context }: KalendsRequest,
  ): Promise<[name: string, value: string]> {
    if (kind === 'venue') return [kind, String(await this.venues.getIdBySlug(slug, context))];
    if (kind === 'organizer') return [kind, String(await this.organizers.getIdBySlug(slug, context))];
    const terms = kind === 'category' ? this.categories : this.tags;
    const id = await terms.getIdBySlug(slug);
    // Digits would be read as an id.
    return [kind === 'category' ? 'categories' : 'tags', /^\d+$/.test(slug) ? String(id) : slug];
  }
}

function queryOf({ url }: KalendsRequest): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** Makes the request one for a route below the canonical mount. Links are made for that mount outside of mounts anyway. */
function useRoute(request: KalendsRequest, routePath: string, query = ''): void {
  request.routePath = routePath;
  request.url = `/${NAMESPACE}${routePath}${query === '' ? '' : `?${query}`}`;
}
