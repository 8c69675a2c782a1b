import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { apiError } from '../errors/api-error.js';
import { Problems } from '../errors/problems.js';
import type { Reply } from '../platform/http/reply.js';
import { CalendarPages } from './calendar.pages.js';
import { CalendarReader } from './calendar.reader.js';
import { dayAfter } from './calendar/formats.js';
import { isMonth } from './calendar/grid.js';
import { subscribeLinks } from './machines/add-to-calendar.js';
import { PageFilters } from './page-filters.js';
import { oneValue } from './page-input.js';
import { pageHeaders, pageReply } from './page.reply.js';
import { PageFiles } from './theme/page-files.js';
import type { Visit } from './visit.js';
import { CategoriesPage } from './views/list/categories.js';
import { DayGroups } from './views/list/day-groups.js';
import { EmbedPage } from './views/calendar/embed.js';
import { Grid } from './views/calendar/month.js';
import { SubscribePage } from './views/list/subscribe.js';

const THEMES = ['auto', 'light', 'dark'] as const;
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;

/** The pages beside the calendar: all categories, subscribing, and the calendar in other websites. */
@Injectable()
export class SitePages {
  constructor(
    private readonly environment: Environment,
    private readonly reader: CalendarReader,
    private readonly filters: PageFilters,
    private readonly calendar: CalendarPages,
    private readonly files: PageFiles,
  ) {}

  async categories({ frame, context }: Visit): Promise<Reply> {
    const head = { title: frame.words.of('allCategories'), canonical: `${context.urls.site}/events/categories/` };
    const categories = await this.reader.allCategories(context);
    return pageReply(<CategoriesPage frame={frame} head={head} categories={categories} />, context);
  }

  async subscribe(visit: Visit): Promise<Reply> {
    const { frame, context, request } = visit;
    const { words, siteName } = frame;
    if (!frame.hasFeeds) throw apiError('rest_no_route');
    const { all, feed, search, chips } = await this.filters.of(visit);
    const name = all.length === 0 ? siteName : all.map((one) => one.name).join(', ');
    const links = subscribeLinks(context.urls.feed(feed), name);
    const head = {
      title: words.of('subscribeTo', { name }),
      canonical: `${context.urls.site}/subscribe/${search}`,
      isIndexed: false,
    };
    return pageReply(
      <SubscribePage frame={frame} head={head} links={links} chips={chips(request.page?.path ?? '')} />,
      context,
    );
  }

  async embed(visit: Visit): Promise<Reply> {
    const { frame, context } = visit;
    const { view, month, limit, theme } = embedInput(visit);
    const filters = await this.filters.of(visit);
    const head = { title: frame.siteName, canonical: `${context.urls.site}/`, isIndexed: false };
    const content = view === 'month' ? await this.calendar.monthContent(visit, month, filters) : undefined;
    const upcoming = { ...filters.query, ends_after: dayAfter(frame.today, -1) };
    const events = content === undefined ? (await this.reader.list(upcoming, 1, context, limit)).events : [];
    const page = (
      <EmbedPage frame={frame} head={head} theme={theme} script={frame.file(this.files.frameScript)}>
        {content !== undefined && (
          <>
            <h2>{frame.formats.date(`${month}-01`, 'month')}</h2>
            <Grid frame={frame} content={content} name={frame.formats.date(`${month}-01`, 'month')} />
          </>
        )}
        {content === undefined && events.length === 0 && <p>{frame.words.of('noUpcoming')}</p>}
        <DayGroups frame={frame} events={events} from={frame.today} />
      </EmbedPage>
    );
    return pageReply(page, context, { headers: pageHeaders(this.environment.EMBED_ORIGINS, ["'self'"]) });
  }
}

/** Reads the parameters of `/embed/`. Throws one 400 with all problems. */
function embedInput({ frame, request: { queryValues } }: Visit) {
  const problems = new Problems(['view', 'month', 'limit', 'theme']);
  const given = (name: string, otherwise: string) => (name in queryValues ? oneValue(queryValues[name]) : otherwise);
  const [view, theme] = [given('view', 'list'), given('theme', 'auto')];
  const month = given('month', frame.today.slice(0, 7));
  const limit = given('limit', String(DEFAULT_LIMIT));
  const size = Number(limit);
  if (view !== 'list' && view !== 'month') problems.add('view', 'rest_not_in_enum', 'must be one of list, month.');
  if (!isMonth(month)) problems.add('month', 'rest_invalid_date', 'must be a month, YYYY-MM.');
  if (!/^\d{1,2}$/.test(limit) || size < 1 || size > MAX_LIMIT)
    problems.add('limit', 'rest_out_of_bounds', `must be a number from 1 to ${MAX_LIMIT}.`);
  const shownTheme = THEMES.find((one) => one === theme);
  if (shownTheme === undefined) problems.add('theme', 'rest_not_in_enum', `must be one of ${THEMES.join(', ')}.`);
  problems.throwIfAny();
  return { view, month, limit: size, theme: shownTheme ?? 'auto' };
}
