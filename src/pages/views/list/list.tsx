import type { ComponentChildren } from 'preact';
import type { SpannedEvent } from '../../calendar/event-facts.js';
import type { Day } from '../../calendar/formats.js';
import { Aside, type AsideContent, type SubscribeLinks } from './aside.js';
import { DayGroups } from './day-groups.js';
import type { Frame, PageHead } from '../frame.js';
import { Shell } from '../shell.js';

/** A page of a list of events. */
export interface ListContent {
  readonly title: string;
  /** The line below the title: how many events there are. */
  readonly lead?: string;
  readonly events: readonly SpannedEvent[];
  /** The day before which events are running. undefined: the list has past events. */
  readonly from?: Day;
  readonly withYears?: boolean;
  /** Links to the other pages. `next`: the one that comes after in the order of the list. */
  readonly pager: {
    readonly previous?: string;
    readonly next?: string;
    readonly place?: string;
    readonly isPast: boolean;
  };
  readonly past?: string;
  readonly emptyText: string;
  readonly aside: AsideContent;
  readonly subscribe: SubscribeLinks;
}

interface ListPage {
  readonly frame: Frame;
  readonly head: PageHead;
  readonly content: ListContent;
  /** Between the title and the events. */
  readonly children?: ComponentChildren;
}

export function ListPage({ frame, head, content, children }: ListPage) {
  const { title, lead, events, emptyText } = content;
  return (
    <Shell frame={frame} head={head}>
      <div class="k-columns">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p class="k-lead">{lead}</p>}
          {children}
          {events.length === 0 ? (
            <p class="k-empty">
              {emptyText} <a href={frame.link('/')}>{frame.words.of('allEvents')}</a>
            </p>
          ) : (
            <DayGroups frame={frame} events={events} from={content.from} withYears={content.withYears} />
          )}
          <Pager frame={frame} content={content} />
        </div>
        <Aside frame={frame} content={content.aside} subscribe={content.subscribe} />
      </div>
    </Shell>
  );
}

function Pager({ frame, content: { pager, past } }: { frame: Frame; content: ListContent }) {
  const { words } = frame;
  const { previous, next, place, isPast } = pager;
  const [back, forth] = isPast ? (['laterPast', 'earlierPast'] as const) : (['earlier', 'later'] as const);
  if (previous === undefined && next === undefined && past === undefined) return null;
  return (
    <nav class="k-pager" aria-label={words.of('pager')}>
      <span>
        {previous === undefined ? (
          past !== undefined && <a href={past}>{`← ${words.of('past')}`}</a>
        ) : (
          <a href={previous} rel="prev">{`← ${words.of(back)}`}</a>
        )}
      </span>
      {place !== undefined && <span class="k-soft">{place}</span>}
      <span>{next !== undefined && <a href={next} rel="next">{`${words.of(forth)} →`}</a>}</span>
    </nav>
  );
}
