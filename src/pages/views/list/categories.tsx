import type { TermResponse } from '../../../terms/term.response.js';
import { pathOf } from '../../calendar/event-facts.js';
import type { Frame, PageHead } from '../frame.js';
import { Shell } from '../shell.js';

/** All used categories as a tree. `categories`: by name. */
export function CategoriesPage({
  frame,
  head,
  categories,
}: {
  frame: Frame;
  head: PageHead;
  categories: readonly TermResponse[];
}) {
  const ids = new Set(categories.map(({ id }) => id));
  const roots = categories.filter(({ parent }) => !ids.has(parent));
  return (
    <Shell frame={frame} head={head}>
      <h1>{head.title}</h1>
      <div class="k-section k-tree k-plain">
        {roots.length === 0 ? (
          <p>{frame.words.of('noCategories')}</p>
        ) : (
          <Branch frame={frame} terms={roots} all={categories} />
        )}
      </div>
    </Shell>
  );
}

function Branch({ frame, terms, all }: { frame: Frame; terms: readonly TermResponse[]; all: readonly TermResponse[] }) {
  return (
    <ul>
      {terms.map((term) => {
        const children = all.filter(({ parent }) => parent === term.id);
        return (
          <li>
            <a href={frame.link(pathOf('events/category', term.slug))}>{term.name}</a>
            {children.length > 0 && <Branch frame={frame} terms={children} all={all} />}
          </li>
        );
      })}
    </ul>
  );
}
