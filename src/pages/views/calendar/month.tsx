import { pathOf, type SpannedEvent } from '../../calendar/event-facts.js';
import { isBeyond } from '../../calendar/grid.js';
import type { Day } from '../../calendar/formats.js';
import type { Bar, Week } from '../../calendar/lanes.js';
import { Chips, type Chip } from './chips.js';
import { DayGroups } from '../list/day-groups.js';
import type { Frame, NamedLink, PageHead } from '../frame.js';
import { Shell } from '../shell.js';

export interface MonthContent {
  /** `YYYY-MM` */
  readonly month: string;
  readonly weeks: readonly Week<SpannedEvent>[];
  /** The events of the month's own days, for narrow screens. */
  readonly events: readonly SpannedEvent[];
  readonly previous?: NamedLink;
  readonly next?: NamedLink;
  readonly chips: readonly Chip[];
  /** What stands above the grid: nothing found, or more than can be shown. */
  readonly note?: string;
  readonly nextEvent?: NamedLink & { readonly date: string };
  /** Added to links to days, so that filters stay. */
  readonly query: string;
}

export function MonthPage({ frame, head, content }: { frame: Frame; head: PageHead; content: MonthContent }) {
  const { words, formats } = frame;
  const { month, events, note, nextEvent } = content;
  const name = formats.date(`${month}-01`, 'month');
  const isThisMonth = frame.today.startsWith(month);
  return (
    <Shell frame={frame} head={head}>
      <div class="k-title-row">
        <h1>{name}</h1>
        <MonthLinks frame={frame} content={content} />
      </div>
      <Chips chips={content.chips} />
      {note !== undefined && (
        <p class="k-chips">
          <span>
            {note}
            {nextEvent !== undefined && (
              <>
                {' '}
                {words.of('nextEvent', { date: nextEvent.date })} <a href={nextEvent.href}>{nextEvent.name}</a>
              </>
            )}
          </span>
        </p>
      )}
      <Grid frame={frame} content={content} name={name} />
      <div class="k-narrow">
        <DayGroups
          frame={frame}
          events={events}
          from={`${month}-01`}
          runningTitle={isThisMonth ? words.of('onNow') : words.of('fromMonth', { month: previousName(frame, month) })}
        />
      </div>
    </Shell>
  );
}

/** The name of the month in which the running events of a month began, at the latest. */
function previousName({ formats }: Frame, month: string): string {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5))];
  const before = number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
  return formats.date(`${before.padStart(7, '0')}-01`, 'monthName');
}

function MonthLinks({ frame, content: { previous, next, query } }: { frame: Frame; content: MonthContent }) {
  const { words, link, today } = frame;
  return (
    <nav class="k-buttons" aria-label={words.of('pager')}>
      {previous !== undefined && (
        <a
          class="k-button"
          href={previous.href}
          rel="prev"
          aria-label={words.of('previousMonth', { month: previous.name })}
        >
          {`← ${previous.name}`}
        </a>
      )}
      <a class="k-button" href={`${link(`/events/month/${today.slice(0, 7)}/`)}${query}`}>
        {words.of('today')}
      </a>
      {next !== undefined && (
        <a class="k-button" href={next.href} rel="next" aria-label={words.of('nextMonth', { month: next.name })}>
          {`${next.name} →`}
        </a>
      )}
    </nav>
  );
}

/** The weeks of a month as a table, with a bar for each event of a week. */
export function Grid({ frame, content, name }: { frame: Frame; content: MonthContent; name: string }) {
  return (
    <table class="k-grid">
      <caption class="k-hidden">{name}</caption>
      <thead>
        <tr>
          {frame.formats.weekdays().map(({ short, long }) => (
            <th scope="col">
              <abbr title={long}>{short}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {content.weeks.map((week) => (
          <tr>
            {week.days.map((day, place) => (
              <DayCell frame={frame} content={content} week={week} day={day} place={place} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Cell {
  readonly frame: Frame;
  readonly content: MonthContent;
  readonly week: Week<SpannedEvent>;
  readonly day: Day;
  readonly place: number;
}

function DayCell({ frame, content, week, day, place }: Cell) {
  if (isBeyond(day)) return <td class="k-other"></td>;
  const { words, formats, link, today } = frame;
  const count = week.counts[place] ?? 0;
  const more = week.more[place] ?? 0;
  const date = formats.date(day, 'full');
  const href = `${link(`/events/day/${day}/`)}${content.query}`;
  const number = Number(day.slice(8));
  const isToday = day === today;
  const classes = [day.startsWith(content.month) ? '' : 'k-other', isToday ? 'k-is-today' : '']
    .filter(Boolean)
    .join(' ');
  return (
    <td class={classes === '' ? undefined : classes}>
      {count === 0 ? (
        <span class="k-number">{number}</span>
      ) : (
        <a
          class="k-number"
          href={href}
          aria-label={words.of('dayWithEvents', { date, count: words.count('events', count) })}
        >
          {number}
        </a>
      )}
      {isToday && <span class="k-hidden">{words.of('todayHidden')}</span>}
      {count > 0 && (
        <span class="k-dots" aria-hidden="true">
          {Array.from({ length: Math.min(3, count) }, () => (
            <i></i>
          ))}
        </span>
      )}
      {week.cells[place]?.map((bar) => (
        <div class="k-lane">{bar !== undefined && <BarLink frame={frame} bar={bar} />}</div>
      ))}
      {(week.covered[place] ?? []).map(({ title }) => (
        <span class="k-hidden k-covered">{words.of('continues', { title })}</span>
      ))}
      {more > 0 && (
        <>
          <Fill cells={week.cells[place]?.length ?? 0} />
          <a class="k-more" href={href}>
            {words.count('more', more)}{' '}
            <span class="k-hidden">{words.of('onDay', { date: formats.date(day, 'long') })}</span>
          </a>
        </>
      )}
    </td>
  );
}

/** Empty lanes, so that "n more" stands below the bars of the week. */
function Fill({ cells }: { cells: number }) {
  return (
    <>
      {Array.from({ length: Math.max(0, 4 - cells) }, () => (
        <div class="k-lane"></div>
      ))}
    </>
  );
}

/** An event of a week, over all of its days there. */
function BarLink({ frame, bar }: { frame: Frame; bar: Bar<SpannedEvent> }) {
  const { event, length, isContinued, goesOn } = bar;
  const isSolid = event.all_day === true || event.lastDay > event.firstDay;
  const classes = [
    'k-bar',
    `k-s${length}`,
    isSolid ? 'k-solid' : '',
    event.featured === true ? 'k-featured' : '',
    isContinued ? 'k-from' : '',
    goesOn ? 'k-to' : '',
  ];
  return (
    <a class={classes.filter(Boolean).join(' ')} href={frame.link(pathOf('event', event.slug))}>
      {isSolid ? event.title : `${frame.formats.time(event.start_date)} ${event.title}`}
    </a>
  );
}
