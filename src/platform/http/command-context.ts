import { Injectable } from '@nestjs/common';
import { callerWith } from '../../kernel/caller.js';
import { Clock } from '../../config/clock.js';
import { SiteSettings } from '../../config/site-settings.js';
import type { RequestContext } from './request-context.js';
import type { BaseUrl } from './base-url.js';
import { Urls } from './base-url.js';
import { UsersService } from '../auth/users.service.js';

/** As whom commands of the operator act where no request says it. */
@Injectable()
export class CommandContext {
  constructor(
    private readonly users: UsersService,
    private readonly clock: Clock,
    private readonly site: SiteSettings,
  ) {}

  /** The first administrator, now. */
  async read(): Promise<RequestContext> {
    const root: BaseUrl = {
      origin: this.site.siteUrl ?? 'http://localhost',
      mount: '',
      language: 'en',
      cacheable: false,
    };
    return {
      caller: callerWith(await this.users.firstAdministrator(), 'administrator'),
      nowUtc: this.clock.now(),
      site: this.site,
      urls: new Urls(root, this.site),
      fields: [],
      clientAddress: '',
    };
  }
}
