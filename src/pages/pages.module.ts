import { Module, type OnModuleInit } from '@nestjs/common';
import { CategoriesModule } from '../categories/categories.module.js';
import { Environment } from '../config/environment.js';
import { EventsModule } from '../events/events.module.js';
import { OrganizersModule } from '../organizers/organizers.module.js';
import { ErrorPages } from '../platform/http/responses/error-page.js';
import { SitePaths } from '../platform/http/routing/site-paths.js';
import { TagsModule } from '../tags/tags.module.js';
import { VenuesModule } from '../venues/venues.module.js';
import { CalendarPages } from './calendar.pages.js';
import { CalendarReader } from './calendar.reader.js';
import { EventPages } from './event.page.js';
import { ListPages } from './list.pages.js';
import { MachinePages } from './machine.pages.js';
import { PageFilters } from './page-filters.js';
import { PAGE_PATHS, redirectPaths } from './page-paths.js';
import { PageFrames } from './page.frame.js';
import { PagesController } from './pages.controller.js';
import { ProblemPages } from './problem.page.js';
import { RecordRedirects } from './record-redirects.js';
import { SitePages } from './site.pages.js';
import { PageFiles } from './theme/page-files.js';
import { PageFilesStage } from './theme/page-files.stage.js';

/** The pages for people, and the redirects of their URLs to the records of the API. */
@Module({
  imports: [CategoriesModule, EventsModule, OrganizersModule, TagsModule, VenuesModule],
  controllers: [PagesController],
  providers: [
    CalendarPages,
    CalendarReader,
    EventPages,
    ListPages,
    MachinePages,
    PageFiles,
    PageFilesStage,
    PageFilters,
    PageFrames,
    ProblemPages,
    RecordRedirects,
    SitePages,
  ],
})
export class PagesModule implements OnModuleInit {
  constructor(
    private readonly environment: Environment,
    private readonly paths: SitePaths,
    private readonly errors: ErrorPages,
    private readonly problems: ProblemPages,
  ) {}

  onModuleInit(): void {
    const { PAGES, SITE_URL } = this.environment;
    const hasWebsite = SITE_URL !== undefined;
    const isOn = PAGES === 'on' || (PAGES === 'auto' && !hasWebsite);
    this.paths.register(isOn ? PAGE_PATHS : redirectPaths(hasWebsite));
    if (isOn) this.errors.use((error, request) => this.problems.of(error, request));
  }
}
