import { Controller, Get, Post, Req } from '@nestjs/common';
import { apiError } from '../errors/api-error.js';
import { ApiExcludeController } from '../platform/http/api-decorators.js';
import type { Reply } from '../platform/http/reply.js';
import type { KalendsRequest } from '../platform/http/request.js';
import { SITE_TEMPLATE } from '../platform/http/routing/site-paths.js';
import { CalendarPages } from './calendar.pages.js';
import { EventPages } from './event.page.js';
import { ListPages } from './list.pages.js';
import { MachinePages } from './machine.pages.js';
import { PageFrames } from './page.frame.js';
import type { PageName } from './page-paths.js';
import { redirectReply } from './page.reply.js';
import { RecordRedirects } from './record-redirects.js';
import { SitePages } from './site.pages.js';
import type { Visit } from './visit.js';

/** All paths outside the mounts. The route stage has found the path; this table finds its page. */
@ApiExcludeController()
@Controller()
export class PagesController {
  private readonly pages: PageTable;

  constructor(
    private readonly frames: PageFrames,
    private readonly redirects: RecordRedirects,
    lists: ListPages,
    calendar: CalendarPages,
    events: EventPages,
    site: SitePages,
    machines: MachinePages,
  ) {
    this.pages = {
      list: (visit) => lists.upcoming(visit),
      listAlias: ({ frame, request }) => redirectReply(`${frame.link('/')}${queryOf(request.url)}`, 308),
      past: (visit) => lists.past(visit),
      thisMonth: (visit) => calendar.thisMonth(visit),
      month: (visit) => calendar.month(visit),
      day: (visit) => calendar.day(visit),
      categories: (visit) => site.categories(visit),
      category: (visit) => lists.ofTerm(visit, 'category'),
      categoryPast: (visit) => lists.ofTerm(visit, 'category', true),
      tag: (visit) => lists.ofTerm(visit, 'tag'),
      tagPast: (visit) => lists.ofTerm(visit, 'tag', true),
      venue: (visit) => lists.ofVenue(visit),
      venuePast: (visit) => lists.ofVenue(visit, true),
      organizer: (visit) => lists.ofOrganizer(visit),
      organizerPast: (visit) => lists.ofOrganizer(visit, true),
      event: (visit) => events.show(visit),
      search: (visit) => lists.search(visit),
      subscribe: (visit) => site.subscribe(visit),
      embed: (visit) => site.embed(visit),
      atom: (visit) => machines.atom(visit),
      sitemap: (visit) => machines.sitemap(visit),
      sitemapPart: (visit) => machines.sitemapPart(visit),
      robots: (visit) => machines.robots(visit),
      openSearch: (visit) => machines.openSearch(visit),
      // PageFilesStage serves those that exist.
      file: unknownPage,
    };
  }

  @Get(SITE_TEMPLATE)
  read(@Req() request: KalendsRequest): Reply | Promise<Reply> {
    const { page, match, context, params } = request;
    if (page === undefined) return this.redirects.of(match?.page?.site.name, params.slug, context);
    const frame = this.frames.of(request);
    if (!page.isCanonical) return redirectReply(`${frame.link(page.path)}${queryOf(request.url)}`, 308);
    const show = this.pages[page.site.name] ?? unknownPage;
    return show({ frame, context, params: params as Record<string, string>, request });
  }

  @Post(SITE_TEMPLATE)
  open(@Req() request: KalendsRequest): Reply | Promise<Reply> {
    return this.read(request);
  }
}

function unknownPage(): never {
  throw apiError('rest_no_route');
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
}

type PageTable = Readonly<Record<PageName, (visit: Visit) => Reply | Promise<Reply>>>;
