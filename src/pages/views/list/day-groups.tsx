import type { SpannedEvent } from '../../calendar/event-facts.js';
import { type Day, dayAfter } from '../../calendar/formats.js';
import { Item } from './item.js';
import type { Frame } from '../frame.js';

interface Groups {
  readonly frame: Frame;
  readonly events: readonly SpannedEvent[];
  /** The day from which the list counts: earlier ones are under "On now". undefined: none are. */
  readonly from?: Day;
  /** The heading of the events that began before `from`. */
  readonly runningTitle?: string;
  readonly withYears?: boolean;
}

/** Events by the days on which they begin, with the months between them. */
export function DayGroups({ frame, events, from, runningTitle, withYears }: Groups) {
  const isRunning = ({ firstDay }: SpannedEvent) => from !== undefined && firstDay < from;
  const running = events.filter(isRunning);
  const groups = byDay(events.filter((event) => !isRunning(event)));
  return (
    <>
      {running.length > 0 && (
        <section class="k-day k-now" aria-labelledby="k-now">
          <h2 id="k-now">{runningTitle ?? frame.words.of('onNow')}</h2>
          <ul class="k-plain">
            {running.map((event) => (
              <Item frame={frame} event={event} isRunning />
            ))}
          </ul>
        </section>
      )}
      {groups.map(({ day, items }, at) => (
        <>
          {day.slice(0, 7) !== groups[at - 1]?.day.slice(0, 7) && (
            <p class="k-month-name" aria-hidden="true">
              {frame.formats.date(day, 'month')}
            </p>
          )}
          <section class={`k-day${day === frame.today ? ' k-today' : ''}`} aria-labelledby={`d${day}`}>
            <DayHeading frame={frame} day={day} />
            <ul class="k-plain">
              {items.map((event) => (
                <Item frame={frame} event={event} withYears={withYears} />
              ))}
            </ul>
          </section>
        </>
      ))}
    </>
  );
}

/** Shows weekday and number. Screen readers read the whole date. */
function DayHeading({ frame, day }: { frame: Frame; day: Day }) {
  const { words, formats, today } = frame;
  const word = { [today]: words.of('today'), [dayAfter(today)]: words.of('tomorrow') }[day];
  const full = formats.date(day, 'full');
  return (
    <h2 id={`d${day}`}>
      <span class="k-hidden">{word === undefined ? full : `${word}, ${full}`}</span>
      <span aria-hidden="true">
        {word ?? formats.date(day, 'weekdayShort')}
        <b>{Number(day.slice(8))}</b>
      </span>
    </h2>
  );
}

function byDay(events: readonly SpannedEvent[]): { readonly day: Day; readonly items: SpannedEvent[] }[] {
  const groups: { day: Day; items: SpannedEvent[] }[] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last?.day === event.firstDay) last.items.push(event);
    else groups.push({ day: event.firstDay, items: [event] });
  }
  return groups;
}
