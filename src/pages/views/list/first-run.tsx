import type { Frame } from '../frame.js';
import { Shell } from '../shell.js';

/** What a calendar without events shows: a sentence for visitors, the next steps for its operator. */
export function FirstRunPage({ frame, canonical }: { frame: Frame; canonical: string }) {
  const { words, docs } = frame;
  return (
    <Shell frame={frame} head={{ title: frame.siteName, canonical, view: 'list', isIndexed: false }}>
      <h1>{words.of('firstRunTitle')}</h1>
      <p class="k-lead">{words.of('firstRunText')}</p>
      <details>
        <summary>{words.of('firstRunSummary')}</summary>
        <ol>
          <li>
            {words.of('firstRunImport')} <code>kalends import events.jsonl</code>
          </li>
          <li>
            {words.of('firstRunWrite')} <a href={`${docs}#/Events/createEvent`}>{words.of('firstRunCreate')}</a>.{' '}
            {words.of('firstRunToken')} <code>kalends token create</code>
          </li>
          <li>
            {words.of('firstRunSettings')} <code>SITE_NAME</code>, <code>SITE_TIMEZONE</code>, <code>SITE_CSS</code>
          </li>
        </ol>
      </details>
    </Shell>
  );
}
