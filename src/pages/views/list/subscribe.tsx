import { type SubscribeLinks, SubscribeButtons } from './aside.js';
import { type Chip, Chips } from '../calendar/chips.js';
import type { Frame, PageHead } from '../frame.js';
import { Shell } from '../shell.js';

interface SubscribePageProps {
  readonly frame: Frame;
  readonly head: PageHead;
  readonly links: SubscribeLinks;
  readonly chips: readonly Chip[];
}

/** The ways to subscribe, with the plain address to copy. */
export function SubscribePage({ frame, head, links, chips }: SubscribePageProps) {
  const { words } = frame;
  return (
    <Shell frame={frame} head={head}>
      <h1>{head.title}</h1>
      <p class="k-lead">{words.of('subscribeLong')}</p>
      <div class="k-section">
        <Chips chips={chips} />
        <SubscribeButtons frame={frame} links={links} />
        <p class="k-form">
          <label for="k-feed">{words.of('feedAddress')}</label>
          <input class="k-copy" id="k-feed" type="text" readOnly value={links.https} />
        </p>
      </div>
    </Shell>
  );
}
