import ICAL from 'ical.js';
import type { Reply } from './client.js';

/** An event as a foreign program reads it. */
export interface ReadEvent {
  readonly uid: string;
  readonly title: string;
  /** Instants in milliseconds since 1970, from the file's own zones. */
  readonly start: number;
  readonly end: number;
  /** Returns the value of a property, or undefined. */
  readonly value: (name: string) => unknown;
  /** Returns the lines of a property, unfolded: `DTSTART;VALUE=DATE:20270310`. */
  readonly lines: (name: string) => string[];
}

/** Returns the lines of a calendar, unfolded. Throws unless its bytes are as RFC 5545 demands (ical 2). */
function linesOf(text: string): string[] {
  if (!text.endsWith('\r\n')) throw new Error('The calendar does not end with a line end.');
  const lines = text.slice(0, -2).split('\r\n');
  for (const line of lines) {
    if (/[\r\n]/.test(line)) throw new Error(`A line end is not CRLF: ${line}`);
    if (Buffer.byteLength(line) > 75) throw new Error(`A line is too long: ${line}`);
    if (line.includes('�')) throw new Error(`A line is split inside a character: ${line}`);
  }
  return text.slice(0, -2).replaceAll('\r\n ', '').split('\r\n');
}

/** Reads a calendar with ical.js. It gets no zones but those of the file. */
export function readCalendar({ status, text }: Pick<Reply, 'status' | 'text'>): ReadEvent[] {
  if (status !== 200) throw new Error(`The calendar answered ${status}: ${text}`);
  const lines = linesOf(text);
  ICAL.TimezoneService.reset();
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  const blocks = blocksOf(lines);
  return calendar.getAllSubcomponents('vevent').map((component, index) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      title: event.summary,
      start: instantOf(event.startDate),
      end: instantOf(event.endDate),
      value: (name) => component.getFirstPropertyValue(name),
      lines: (name) => blocks[index]!.filter((line) => new RegExp(`^${name}[;:]`).test(line)),
    };
  });
}

/** Returns the properties of the calendar itself by name. */
export function headOf(text: string): Record<string, string> {
  const lines = linesOf(text);
  const end = lines.findIndex((line, index) => index > 0 && /^(BEGIN|END):/.test(line));
  return Object.fromEntries(
    lines.slice(1, end).map((line) => [line.replace(/[;:].*/, ''), line.replace(/^[^:]*:/, '')]),
  );
}

/** Returns the VTIMEZONE components, line by line. */
export function zonesOf(text: string): string[][] {
  return componentsOf(linesOf(text), 'VTIMEZONE');
}

function blocksOf(lines: readonly string[]): string[][] {
  return componentsOf(lines, 'VEVENT');
}

function componentsOf(lines: readonly string[], name: string): string[][] {
  const found: string[][] = [];
  for (const [at, line] of lines.entries()) {
    if (line === `BEGIN:${name}`) found.push(lines.slice(at, lines.indexOf(`END:${name}`, at) + 1));
  }
  return found;
}

function instantOf(time: ICAL.Time): number {
  return time.toUnixTime() * 1000;
}
