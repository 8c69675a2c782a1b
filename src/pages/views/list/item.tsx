import type { EventResponse } from '../../../events/event.response.js';
import { freeOr, pathOf, placeOf } from '../../calendar/event-facts.js';
import type { Day } from '../../calendar/formats.js';
import { listTime } from '../../calendar/when.js';
import type { Frame } from '../frame.js';

const MAX_CATEGORIES = 3;

interface Place {
  readonly isRunning?: boolean;
  readonly onDay?: Day;
  readonly withYears?: boolean;
}

/** An event in a list: time, title, place, price, categories. */
export function Item({ frame, event, ...place }: { frame: Frame; event: EventResponse } & Place) {
  const { words, formats, siteZone } = frame;
  const { text, datetime, zone } = listTime(event, formats, words.times, { siteZone, ...place });
  // A list blanks all members of a protected event but its title and times (contract 7.3).
  const isProtected = event.all_day === null;
  return (
    <li class="k-event">
      <p class="k-time">
        <time dateTime={datetime}>{text}</time>
        {zone !== undefined && (
          <>
            {' '}
            <abbr title={zone.name}>{zone.abbreviation}</abbr>
          </>
        )}
      </p>
      <div>
        <h3>
          <a href={frame.link(pathOf('event', event.slug))}>{event.title}</a>
          {event.featured === true && (
            <>
              {' '}
              <span class="k-badge">{words.of('featured')}</span>
            </>
          )}
        </h3>
        {isProtected ? <p class="k-about">{words.of('passwordNeeded')}</p> : <About frame={frame} event={event} />}
      </div>
    </li>
  );
}

function About({ frame, event }: { frame: Frame; event: EventResponse }) {
  const facts = [placeOf(event), freeOr(event, frame.words.of('free'))].filter((fact) => fact !== '').join(' · ');
  const categories = event.categories.slice(0, MAX_CATEGORIES);
  if (facts === '' && categories.length === 0) return null;
  return (
    <div class="k-about">
      {facts !== '' && <span>{facts}</span>}
      {categories.length > 0 && (
        <span class="k-terms">
          {categories.map(({ name, slug }) => (
            <a href={frame.link(pathOf('events/category', slug))}>{name}</a>
          ))}
        </span>
      )}
    </div>
  );
}
