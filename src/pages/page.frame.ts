import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { Mounts } from '../config/mounts.js';
import { linkOf } from '../config/page-settings.js';
import { toWall } from '../kernel/time/calendar-time.js';
import type { KalendsRequest } from '../platform/http/request.js';
import { SitePaths } from '../platform/http/routing/site-paths.js';
import { dayOf, formatsOf } from './calendar/formats.js';
import { PageFiles } from './theme/page-files.js';
import type { Frame } from './views/frame.js';
import { Words } from './words.js';

/** Makes the frame of a page from the settings and the request. */
@Injectable()
export class PageFrames {
  private readonly words = new Map<string, Words>();

  private readonly mount: string;

  constructor(
    private readonly environment: Environment,
    private readonly files: PageFiles,
    private readonly paths: SitePaths,
  ) {
    this.mount = new Mounts(environment).canonical;
  }

  of(request: KalendsRequest): Frame {
    const { context, apiBaseUrl } = request;
    const { SITE_REGION, SITE_NAME_SHOWN, SITE_LINKS, FEEDS } = this.environment;
    const prefixed = this.paths.languageOf(request.path);
    const language = prefixed ?? apiBaseUrl.language;
    const home = new URL(apiBaseUrl.origin).pathname.replace(/\/$/, '');
    const inLanguage = prefixed === undefined ? '' : `/${prefixed}`;
    const words = this.wordsOf(language);
    const file = (path: string) => `${home}${path}`;
    return {
      words,
      formats: formatsOf(words.language, SITE_REGION),
      siteName: context.site.name,
      siteZone: context.site.timeZone,
      today: dayOf(toWall(context.nowUtc, context.site.timeZone)),
      link: (path) => `${home}${inLanguage}${path}`,
      file,
      css: [this.files.css, this.files.siteCss].filter((path) => path !== undefined).map(file),
      logo: this.files.logo && file(this.files.logo),
      isNameShown: SITE_NAME_SHOWN,
      siteLinks: SITE_LINKS.map(linkOf).filter((link) => link !== undefined),
      languages: this.languagesOf(request, home, language),
      docs: `${home}${inLanguage}${this.mount}/doc`,
      atom: `${home}${inLanguage}/events.atom`,
      hasFeeds: FEEDS,
    };
  }

  private languagesOf(request: KalendsRequest, home: string, current: string): Frame['languages'] {
    const path = request.page?.path ?? '/';
    const known = request.page?.site.query ?? [];
    const values = Object.entries(request.queryValues ?? {}).filter(
      ([name, value]) => known.includes(name) && typeof value === 'string',
    ) as [string, string][];
    const query = values.length === 0 ? '' : `?${new URLSearchParams(values).toString()}`;
    return this.environment.LANGUAGES.map((code) => ({
      code,
      name: this.wordsOf(code).of('language'),
      href: `${home}/${code}${path}${query}`,
      isCurrent: code === current,
    }));
  }

  private wordsOf(language: string): Words {
    let words = this.words.get(language);
    if (words === undefined) {
      words = new Words(language, formatsOf(language, this.environment.SITE_REGION));
      this.words.set(language, words);
    }
    return words;
  }
}
