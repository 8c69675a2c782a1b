import { pathOf, type SpannedEvent, venuesOf } from '../../calendar/event-facts.js';
import type { EventContent } from './event-content.js';
import { Facts } from './facts.js';
import type { Frame, NamedLink, PageHead } from '../frame.js';
import { Item } from '../list/item.js';
import { Picture } from '../picture.js';
import { Prose } from '../raw.js';
import { Shell } from '../shell.js';

export function EventPage({ frame, head, content }: { frame: Frame; head: PageHead; content: EventContent }) {
  const { event, html, isOver, parent, children, locked } = content;
  const { words } = frame;
  const city = locked === undefined ? venuesOf(event)[0]?.city : undefined;
  return (
    <Shell frame={frame} head={head}>
      <article class="k-event-columns">
        <header>
          <Crumbs frame={frame} event={event} parent={parent} />
          {isOver && <p class="k-over">{words.of('over')}</p>}
          <h1>{event.title}</h1>
          <p class="k-lead">{[daysText(event, frame), city].filter(Boolean).join(' · ')}</p>
        </header>
        <Facts frame={frame} content={content} />
        <div class="k-body">
          {locked !== undefined && <PasswordForm frame={frame} {...locked} />}
          {event.image !== false && <Picture image={event.image} />}
          {html !== '' && <Prose html={html} />}
          {children.length > 0 && (
            <section aria-labelledby="k-programme">
              <h2 id="k-programme">{words.of('programme')}</h2>
              <ul class="k-plain">
                {children.map((child) => (
                  <Item frame={frame} event={child} />
                ))}
              </ul>
            </section>
          )}
          {event.tags.length > 0 && (
            <ul class="k-plain k-tags" aria-label={words.of('tags')}>
              {event.tags.map(({ name, slug }) => (
                <li>
                  <a class="k-chip" href={frame.link(pathOf('tag', slug))}>
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
      </article>
      <Neighbours frame={frame} content={content} />
    </Shell>
  );
}

function daysText({ firstDay, lastDay }: SpannedEvent, { formats }: Frame): string {
  return lastDay > firstDay ? formats.range(firstDay, lastDay) : formats.date(firstDay, 'full');
}

function Crumbs({ frame, event, parent }: { frame: Frame; event: SpannedEvent; parent: NamedLink | undefined }) {
  const { words, link } = frame;
  return (
    <nav class="k-crumbs" aria-label={words.of('breadcrumb')}>
      <a href={link('/')}>{words.of('allEvents')}</a>
      {event.categories.length > 0 && <span aria-hidden="true">/</span>}
      {event.categories.map(({ name, slug }) => (
        <a href={link(pathOf('events/category', slug))}>{name}</a>
      ))}
      {parent !== undefined && (
        <span>
          {words.of('partOf')} <a href={parent.href}>{parent.name}</a>
        </span>
      )}
    </nav>
  );
}

function PasswordForm({ frame, isWrong, action }: { frame: Frame; isWrong: boolean; action: string }) {
  const { words } = frame;
  return (
    <form class="k-form" method="post" action={action}>
      <p>{words.of('protectedText')}</p>
      {isWrong && (
        <p class="k-error" id="k-wrong">
          {words.of('wrongPassword')}
        </p>
      )}
      <label for="k-password">{words.of('password')}</label>
      <div>
        <input
          id="k-password"
          name="password"
          type="password"
          autocomplete="off"
          required
          aria-invalid={isWrong ? 'true' : undefined}
          aria-describedby={isWrong ? 'k-wrong' : undefined}
        />
        <button class="k-button k-main-button" type="submit">
          {words.of('openEvent')}
        </button>
      </div>
    </form>
  );
}

function Neighbours({ frame, content: { neighbours, locked } }: { frame: Frame; content: EventContent }) {
  const { earlier, later } = neighbours;
  const { words, link } = frame;
  if (locked !== undefined || (earlier === undefined && later === undefined)) return null;
  return (
    <nav class="k-beside" aria-label={words.of('pager')}>
      <span>
        {earlier !== undefined && (
          <a
            href={link(pathOf('event', earlier.slug))}
            rel="prev"
          >{`← ${words.of('earlierEvent', { title: earlier.title })}`}</a>
        )}
      </span>
      <span>
        {later !== undefined && (
          <a
            href={link(pathOf('event', later.slug))}
            rel="next"
          >{`${words.of('laterEvent', { title: later.title })} →`}</a>
        )}
      </span>
    </nav>
  );
}
