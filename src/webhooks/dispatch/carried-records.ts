import { Injectable } from '@nestjs/common';
import { CategoriesService } from '../../categories/categories.service.js';
import { Clock } from '../../config/clock.js';
import { Environment } from '../../config/environment.js';
import { Mounts } from '../../config/mounts.js';
import { SiteSettings } from '../../config/site-settings.js';
import type { ChangeType } from '../../database/cache/change-types.js';
import { Problems } from '../../errors/problems.js';
import { EventsService } from '../../events/events.service.js';
import { ANONYMOUS, callerWith } from '../../kernel/caller.js';
import { OrganizersService } from '../../organizers/organizers.service.js';
import { Urls } from '../../platform/http/base-url.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import type { ShownRecords } from '../../platform/http/shown-records.js';
import { TagsService } from '../../tags/tags.service.js';
import { VenuesService } from '../../venues/venues.service.js';
import type { Audience } from '../webhook.types.js';

const COLLECTIONS: Record<string, string> = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
  webhook: 'webhooks',
};

/** The records that messages are about, and their addresses. */
@Injectable()
export class CarriedRecords {
  private readonly mount: string;

  constructor(
    private readonly events: EventsService,
    private readonly venues: VenuesService,
    private readonly organizers: OrganizersService,
    private readonly categories: CategoriesService,
    private readonly tags: TagsService,
    private readonly environment: Environment,
    private readonly site: SiteSettings,
    private readonly clock: Clock,
  ) {
    this.mount = new Mounts(environment).canonical;
  }

  /** Returns the address of a record on the canonical mount. undefined: PUBLIC_URL is unset, and there is no request. */
  urlOf(type: string, id: number): string | undefined {
    return this.environment.PUBLIC_URL === undefined ? undefined : this.urls.record(COLLECTIONS[type]!, id);
  }

  /** Returns records by id as the list of the audience shows them at present. Those that it does not show are absent. */
  async find(type: ChangeType, ids: readonly number[], audience: Audience): Promise<Map<number, object>> {
    const context: RequestContext = {
      caller: audience === 'all' ? callerWith(0, 'administrator') : ANONYMOUS,
      nowUtc: this.clock.now(),
      site: this.site,
      urls: this.urls,
      fields: [],
      clientAddress: '',
    };
    const found = await (await this.shown(type, audience, context)).among(ids);
    return new Map(found.map(({ body }) => [body.id, body]));
  }

  private get urls(): Urls {
    const { PUBLIC_URL: origin = '' } = this.environment;
    return new Urls({ origin, mount: this.mount, language: 'en', isCacheable: false }, this.site);
  }

  private async shown(type: ChangeType, audience: Audience, context: RequestContext): Promise<ShownRecords> {
    if (type !== 'event') return this[SERVICES[type]].shown(context);
    const hidden = audience === 'all' ? ({ hide_from_listings: 'any' } as const) : {};
    return (await this.events.shown(hidden, new Problems([]), context))(context);
  }
}

const SERVICES = { venue: 'venues', organizer: 'organizers', category: 'categories', tag: 'tags' } as const;
