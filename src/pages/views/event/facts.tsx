import { addressOf, freeOr, pathOf, safeLink, type SpannedEvent, venuesOf } from '../../calendar/event-facts.js';
import { fullTimes, machineTime } from '../../calendar/when.js';
import { mapLink } from '../../machines/map-link.js';
import { PhoneLink } from '../contact.js';
import type { EventContent } from './event-content.js';
import type { Frame } from '../frame.js';

/** When, where, price, organizers, website and calendars of an event, in one card. */
export function Facts({ frame, content }: { frame: Frame; content: EventContent }) {
  const { event, locked, isOver, add } = content;
  const { words } = frame;
  const cost = freeOr(event, words.of('free'));
  const website = safeLink(event.website);
  return (
    <section class="k-facts" aria-label={words.of('facts')}>
      <dl>
        <When frame={frame} event={event} />
        {locked === undefined && <Where frame={frame} event={event} />}
        {cost !== '' && (
          <>
            <dt>{words.of('price')}</dt>
            <dd>{cost}</dd>
          </>
        )}
        {event.organizer.length > 0 && <Organizers frame={frame} event={event} />}
      </dl>
      {website !== undefined && website !== event.url && (
        <p class="k-buttons">
          <a class="k-button k-main-button" href={website} rel="noreferrer">
            {words.of('eventWebsite')}
          </a>
        </p>
      )}
      {!isOver && locked === undefined && (
        <>
          <h2>{words.of('addToCalendar')}</h2>
          <p class="k-buttons">
            {frame.hasFeeds && (
              <a class="k-button" href={add.file}>
                {words.of('calendarFile')}
              </a>
            )}
            <a class="k-button" href={add.google} rel="noreferrer">
              {words.of('google')}
            </a>
            <a class="k-button" href={add.outlook} rel="noreferrer">
              {words.of('outlook')}
            </a>
          </p>
        </>
      )}
    </section>
  );
}

function When({ frame, event }: { frame: Frame; event: SpannedEvent }) {
  const { words, formats } = frame;
  const { days, hours, endsNextDay, until, zone } = fullTimes(event, formats);
  return (
    <>
      <dt>{words.of('when')}</dt>
      <dd>
        <time dateTime={machineTime(event)}>{days}</time>
        {hours !== undefined && (
          <>
            <br />
            <b>{hours}</b>
            {endsNextDay && ` ${words.of('nextDay')}`}
          </>
        )}
        {until !== undefined && (
          <>
            <br />
            <time dateTime={machineTime(event, 'end')}>{words.of('until', { date: until })}</time>
          </>
        )}
        {zone !== undefined && <span class="k-soft k-small">{zone}</span>}
      </dd>
    </>
  );
}

function Where({ frame, event }: { frame: Frame; event: SpannedEvent }) {
  const venues = venuesOf(event);
  if (venues.length === 0) return null;
  return (
    <>
      <dt>{frame.words.of('where')}</dt>
      {venues.map((venue) => {
        const address = addressOf(venue);
        const map = mapLink(venue);
        return (
          <dd>
            <a href={frame.link(pathOf('venue', venue.slug))}>{venue.venue}</a>
            {(address !== '' || map !== undefined) && (
              <span class="k-soft k-small">
                {address} {map !== undefined && <a href={map}>{frame.words.of('map')}</a>}
              </span>
            )}
          </dd>
        );
      })}
    </>
  );
}

function Organizers({ frame, event }: { frame: Frame; event: SpannedEvent }) {
  const { words } = frame;
  return (
    <>
      <dt>{words.of(event.organizer.length === 1 ? 'organizer' : 'organizers')}</dt>
      {event.organizer.map(({ organizer, slug, email, phone }) => (
        <dd>
          <a href={frame.link(pathOf('organizer', slug))}>{organizer}</a>
          {email !== undefined && (
            <span class="k-soft k-small">
              <a href={`mailto:${email}`}>{email}</a>
            </span>
          )}
          {phone !== undefined && (
            <span class="k-soft k-small">
              <PhoneLink phone={phone} />
            </span>
          )}
        </dd>
      ))}
    </>
  );
}
