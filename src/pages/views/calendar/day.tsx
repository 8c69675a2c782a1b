import type { SpannedEvent } from '../../calendar/event-facts.js';
import type { Day } from '../../calendar/formats.js';
import { type Chip, Chips } from './chips.js';
import type { Frame, NamedLink, PageHead } from '../frame.js';
import { Item } from '../list/item.js';
import { Shell } from '../shell.js';

export interface DayContent {
  readonly day: Day;
  readonly events: readonly SpannedEvent[];
  readonly previous?: NamedLink;
  readonly next?: NamedLink;
  readonly chips: readonly Chip[];
  readonly note?: string;
}

export function DayPage({ frame, head, content }: { frame: Frame; head: PageHead; content: DayContent }) {
  const { words, formats } = frame;
  const { day, events, previous, next, chips, note } = content;
  return (
    <Shell frame={frame} head={head}>
      <h1>{formats.date(day, 'full')}</h1>
      {events.length > 0 && <p class="k-lead">{words.count('events', events.length)}</p>}
      <Chips chips={chips} />
      {note !== undefined && <p class="k-empty">{note}</p>}
      {events.length === 0 ? (
        <p class="k-empty">{words.of('dayEmpty')}</p>
      ) : (
        <section class="k-section k-events">
          <h2 class="k-hidden">{formats.date(day, 'full')}</h2>
          <ul class="k-plain">
            {events.map((event) => (
              <Item frame={frame} event={event} onDay={event.lastDay > event.firstDay ? day : undefined} />
            ))}
          </ul>
        </section>
      )}
      <nav class="k-pager" aria-label={words.of('pager')}>
        <span>
          {previous !== undefined && (
            <a href={previous.href} rel="prev" aria-label={words.of('previousDay', { date: previous.name })}>
              {`← ${previous.name}`}
            </a>
          )}
        </span>
        <span>
          {next !== undefined && (
            <a href={next.href} rel="next" aria-label={words.of('nextDayWithEvents', { date: next.name })}>
              {`${next.name} →`}
            </a>
          )}
        </span>
      </nav>
    </Shell>
  );
}
