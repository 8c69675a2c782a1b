import type { Frame } from './frame.js';
import { Shell } from './shell.js';

/** An error for people. */
export interface ProblemContent {
  readonly title: string;
  readonly text: string;
  /** The first page of a list that ends earlier. */
  readonly firstPage?: string;
}

export function ProblemPage({
  frame,
  canonical,
  content,
}: {
  frame: Frame;
  canonical: string;
  content: ProblemContent;
}) {
  const { title, text, firstPage } = content;
  const { words } = frame;
  return (
    <Shell frame={frame} head={{ title, canonical, isIndexed: false }}>
      <h1>{title}</h1>
      <p class="k-lead">{text}</p>
      <p class="k-empty">
        {firstPage !== undefined && (
          <>
            <a href={firstPage}>{words.of('firstPage')}</a>
            {' · '}
          </>
        )}
        <a href={frame.link('/')}>{words.of('allEvents')}</a>
      </p>
    </Shell>
  );
}
