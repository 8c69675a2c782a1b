import { Injectable } from '@nestjs/common';
import { callerWith } from '../../kernel/caller.js';
import { Clock } from '../../config/clock.js';
import { SiteSettings } from '../../config/site-settings.js';
import type { RequestContext } from './request-context.js';
import { type BaseUrl, Urls } from './base-url.js';
import { UsersService } from '../auth/users.service.js';

/** Provides the context of operator commands, which have no request. */
@Injectable()
export class CommandContext {
  constructor(
    private readonly users: UsersService,
    private readonly clock: Clock,
    private readonly site: SiteSettings,
  ) {}

  /** Returns a context of the first administrator at the current time. */
  async read(): Promise<RequestContext> {
    const baseUrl: BaseUrl = {
      origin: this.site.siteUrl ?? 'http://localhost',
      mount: '',
      language: 'en',
      isCacheable: false,
    };
    return {
      caller: callerWith(await this.users.firstAdministrator(), 'administrator'),
      nowUtc: this.clock.now(),
      site: this.site,
      urls: new Urls(baseUrl, this.site),
      fields: [],
      clientAddress: '',
    };
  }
}
