import type { Frame } from '../frame.js';

interface Search {
  readonly frame: Frame;
  readonly q: string;
  /** Whether past events are searched, too. */
  readonly isAll: boolean;
  readonly count?: string;
  /** The address of the same search with, or without, past events. */
  readonly other?: string;
}

export function SearchForm({ frame, q, isAll, count, other }: Search) {
  const { words } = frame;
  return (
    <>
      <form class="k-form" action={frame.link('/search/')}>
        <label for="k-q">{words.of('searchEvents')}</label>
        <div>
          <input id="k-q" type="search" name="q" value={q} maxLength={500} />
          {isAll && <input type="hidden" name="past" value="1" />}
          <button class="k-button" type="submit">
            {words.of('search')}
          </button>
        </div>
      </form>
      {count !== undefined && <p class="k-lead">{count}</p>}
      {other !== undefined && (
        <p>
          <a href={other}>{words.of(isAll ? 'searchUpcoming' : 'searchPast')}</a>
        </p>
      )}
    </>
  );
}
