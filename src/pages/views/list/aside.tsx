import { pathOf } from '../../calendar/event-facts.js';
import { isBeyond, type MonthGrid } from '../../calendar/grid.js';
import type { Day } from '../../calendar/formats.js';
import type { Frame, NamedLink } from '../frame.js';

/** What stands beside a list. */
export interface AsideContent {
  readonly grid: MonthGrid;
  /** Days of the month with events. */
  readonly busy: ReadonlySet<Day>;
  readonly categories: readonly { readonly name: string; readonly slug: string }[];
}

export interface SubscribeLinks {
  readonly webcal: string;
  readonly google: string;
  readonly outlook: string;
  readonly https: string;
}

export function Aside({
  frame,
  content,
  subscribe,
}: {
  frame: Frame;
  content: AsideContent;
  subscribe: SubscribeLinks;
}) {
  const { words, link } = frame;
  return (
    <aside class="k-aside">
      <MiniMonth frame={frame} content={content} />
      {frame.hasFeeds && (
        <section aria-labelledby="k-subscribe">
          <h2 id="k-subscribe">{words.of('subscribe')}</h2>
          <p class="k-soft">{words.of('subscribeText')}</p>
          <SubscribeButtons frame={frame} links={subscribe} />
        </section>
      )}
      {content.categories.length > 0 && (
        <section aria-labelledby="k-categories">
          <h2 id="k-categories">{words.of('categories')}</h2>
          <ul class="k-plain k-two">
            {content.categories.map(({ name, slug }) => (
              <li>
                <a href={link(pathOf('events/category', slug))}>{name}</a>
              </li>
            ))}
            <li>
              <a href={link('/events/categories/')}>{words.of('allCategories')}</a>
            </li>
          </ul>
        </section>
      )}
    </aside>
  );
}

export function SubscribeButtons({ frame, links }: { frame: Frame; links: SubscribeLinks }) {
  const { words } = frame;
  const buttons: readonly NamedLink[] = [
    { name: words.of('appleAndOthers'), href: links.webcal },
    { name: words.of('google'), href: links.google },
    { name: words.of('outlook'), href: links.outlook },
  ];
  return (
    <p class="k-buttons">
      {buttons.map(({ name, href }, at) => (
        <a class={at === 0 ? 'k-button k-main-button' : 'k-button'} href={href}>
          {name}
        </a>
      ))}
    </p>
  );
}

function MiniMonth({ frame, content: { grid, busy } }: { frame: Frame; content: AsideContent }) {
  const { formats, words, link } = frame;
  const name = formats.date(`${grid.month}-01`, 'month');
  return (
    <section aria-labelledby="k-mini">
      <h2 id="k-mini">
        <a href={link(`/events/month/${grid.month}/`)}>{name}</a>
      </h2>
      <table class="k-mini">
        <caption class="k-hidden">{`${name}, ${words.of('withEvents')}`}</caption>
        <thead>
          <tr>
            {formats.weekdays().map(({ short, long }) => (
              <th scope="col">
                <abbr title={long}>{short.replace(/\.$/, '').slice(0, 2)}</abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.weeks.map((week) => (
            <tr>
              {week.map((day) => (
                <td>
                  {!isBeyond(day) && day.startsWith(grid.month) && (
                    <MiniDay frame={frame} day={day} isBusy={busy.has(day)} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function MiniDay({ frame, day, isBusy }: { frame: Frame; day: Day; isBusy: boolean }) {
  const current = day === frame.today ? 'date' : undefined;
  const number = Number(day.slice(8));
  if (!isBusy) return <span aria-current={current}>{number}</span>;
  return (
    <a href={frame.link(`/events/day/${day}/`)} aria-current={current} aria-label={frame.formats.date(day, 'long')}>
      {number}
    </a>
  );
}
