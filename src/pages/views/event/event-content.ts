import type { EventNeighbours } from '../../../events/event.response.js';
import type { SpannedEvent } from '../../calendar/event-facts.js';
import type { NamedLink } from '../frame.js';

/** What the page of an event shows. */
export interface EventContent {
  readonly event: SpannedEvent;
  /** The description, made safe. '' for none. */
  readonly html: string;
  readonly isOver: boolean;
  readonly parent?: NamedLink;
  readonly children: readonly SpannedEvent[];
  readonly neighbours: EventNeighbours;
  readonly add: { readonly file: string; readonly google: string; readonly outlook: string };
  /** Set while the event needs its password. */
  readonly locked?: { readonly isWrong: boolean; readonly action: string };
}
