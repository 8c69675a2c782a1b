import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CalendarEvent } from '../events/event.response.js';
import { icalLine } from '../kernel/text/ical-line.js';
import { zoneChanges } from '../kernel/time/zone-changes.js';
import { vtimezone, yearsRead, type ZoneUse } from '../kernel/vtimezone.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { neededZone, presentCalendarEvent } from './ical.presenter.js';

/** How long the writer keeps the event loop, in milliseconds. */
const MAX_TURN_MS = 10;

/**
 * Writes a calendar (VCALENDAR) in turns of the event loop. Its events are written as they come. The zones stand before
 * them, and are known at the end only.
 */
export class CalendarWriter {
  private readonly events: string[] = [];
  private readonly zones = new Map<string, ZoneUse>();
  private turnBegan = performance.now();
  /** Characters of the events so far. */
  length = 0;

  constructor(private readonly context: RequestContext) {}

  async add(events: readonly CalendarEvent[]): Promise<void> {
    for (const event of events) {
      await this.pause();
      const text = presentCalendarEvent(event, this.context);
      this.events.push(text);
      this.length += text.length;
      const zone = neededZone(event);
      if (zone !== undefined) this.zones.set(zone, extended(this.zones.get(zone), event));
    }
  }

  /** Returns the calendar in pieces. `head`: its own properties. */
  async end(head: readonly string[]): Promise<string[]> {
    const zones: string[] = [];
    for (const [zone, use] of this.zones) {
      for (const year of yearsRead(use)) {
        await this.pause();
        zoneChanges(zone, year);
      }
      zones.push(vtimezone(zone, use));
    }
    const begin = [icalLine('BEGIN', 'VCALENDAR'), ...head, ...zones].join('');
    return [begin, ...this.events, icalLine('END', 'VCALENDAR')];
  }

  private async pause(): Promise<void> {
    if (performance.now() - this.turnBegan < MAX_TURN_MS) return;
    await nextTurn();
    this.turnBegan = performance.now();
  }
}

function extended(use: ZoneUse | undefined, { shown }: CalendarEvent): ZoneUse {
  const { utc_start_date: start, utc_end_date: end } = shown;
  if (use === undefined) return { firstUtc: start, lastUtc: end };
  return { firstUtc: start < use.firstUtc ? start : use.firstUtc, lastUtc: end > use.lastUtc ? end : use.lastUtc };
}
