import { addDays, weekday } from '../../kernel/time/calendar-arithmetic.js';

/** A calendar day without time and zone, `YYYY-MM-DD`. */
export type Day = string;

/** What of a date is shown. */
export type DateForm = keyof typeof FORMS;

const FORMS = {
  /** Friday 11 December 2026 */
  full: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  /** Friday 11 December */
  long: { weekday: 'long', day: 'numeric', month: 'long' },
  /** Fri 11 Dec */
  short: { weekday: 'short', day: 'numeric', month: 'short' },
  /** Fri 11 Dec 2026 */
  dated: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  /** 11 December 2026 */
  plain: { day: 'numeric', month: 'long', year: 'numeric' },
  /** 20 Nov */
  brief: { day: 'numeric', month: 'short' },
  /** December 2026 */
  month: { month: 'long', year: 'numeric' },
  monthName: { month: 'long' },
  weekday: { weekday: 'long' },
  weekdayShort: { weekday: 'short' },
  time: { hour: 'numeric', minute: '2-digit' },
  /** For 24 hours, because numeric ones have no leading zero everywhere. */
  timeOf24: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Texts that are kept. Days and times of day recur, and Intl takes 10 µs to 50 µs for each. */
const MAX_TEXTS = 20_000;

/** Dates and times in one language and country. Formatters are kept, because making one takes a hundred times longer. */
export class Formats {
  /** 0 for Sunday … 6 for Saturday. */
  readonly firstWeekday: number;
  private readonly formatters = new Map<string, Intl.DateTimeFormat>();
  private readonly texts = new Map<string, string>();
  private readonly plurals: Intl.PluralRules;
  private readonly numbers: Intl.NumberFormat;
  private readonly timeForm: 'time' | 'timeOf24';

  constructor(readonly locale: string) {
    this.firstWeekday = firstWeekdayOf(locale);
    this.plurals = new Intl.PluralRules(locale);
    this.numbers = new Intl.NumberFormat(locale);
    this.timeForm = this.formatter('time').resolvedOptions().hourCycle === 'h23' ? 'timeOf24' : 'time';
  }

  date(day: Day, form: DateForm): string {
    return this.text(`${form} ${day}`, () => this.formatter(form).format(millisecondsOf(`${day} 12:00:00`)));
  }

  /** Mon 23 – Fri 27 November 2026 */
  range(first: Day, last: Day): string {
    const [from, to] = [first, last].map((day) => millisecondsOf(`${day} 12:00:00`)) as [number, number];
    return this.text(`${first} ${last}`, () => this.formatter('full').formatRange(from, to));
  }

  /** 19:30, or 7:30 pm. `wall`: `YYYY-MM-DD HH:MM:SS`. */
  time(wall: string): string {
    const time = wall.slice(11, 16);
    return this.text(time, () => this.formatter(this.timeForm).format(millisecondsOf(`2026-01-01 ${time}:00`)));
  }

  number(value: number): string {
    return plainBlanks(this.numbers.format(value));
  }

  plural(count: number): Intl.LDMLPluralRule {
    return this.plurals.select(count);
  }

  /** The days of a week, in the order of the country. */
  weekdays(): { readonly short: string; readonly long: string }[] {
    // 2026-11-01 is a Sunday.
    return [0, 1, 2, 3, 4, 5, 6].map((place) => {
      const day = dayAfter('2026-11-01', (this.firstWeekday + place) % 7);
      return { short: this.date(day, 'weekdayShort'), long: this.date(day, 'weekday') };
    });
  }

  /** Central European Time. */
  zoneName(zone: string, atUtc: string): string {
    return this.text(`${zone} ${atUtc}`, () => {
      const formatter = this.keep(`zone ${zone}`, { timeZone: zone, timeZoneName: 'longGeneric' });
      const parts = formatter.formatToParts(millisecondsOf(atUtc));
      return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
    });
  }

  private text(key: string, make: () => string): string {
    let text = this.texts.get(key);
    if (text === undefined) {
      // Clearing bounds the memory when clients ask for more and more days.
      if (this.texts.size >= MAX_TEXTS) this.texts.clear();
      this.texts.set(key, (text = plainBlanks(make())));
    }
    return text;
  }

  private formatter(form: DateForm): Intl.DateTimeFormat {
    return this.keep(form, { ...FORMS[form], timeZone: 'UTC' });
  }

  private keep(key: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    let formatter = this.formatters.get(key);
    if (formatter === undefined) {
      formatter = new Intl.DateTimeFormat(this.locale, { calendar: 'gregory', numberingSystem: 'latn', ...options });
      this.formatters.set(key, formatter);
    }
    return formatter;
  }
}

const kept = new Map<string, Formats>();

/** Returns the formats of a language in a country: `de`, `CH`. */
export function formatsOf(language: string, region: string): Formats {
  const locale = `${language}-${region}`;
  const formats = kept.get(locale) ?? new Formats(locale);
  kept.set(locale, formats);
  return formats;
}

export function dayOf(time: string): Day {
  return time.slice(0, 10);
}

export function dayAfter(day: Day, count = 1): Day {
  return dayOf(addDays(`${day} 00:00:00`, count));
}

/** Returns how many days lie between two days. */
export function daysBetween(first: Day, last: Day): number {
  return Math.round((millisecondsOf(`${last} 00:00:00`) - millisecondsOf(`${first} 00:00:00`)) / 86_400_000);
}

/** Returns 0 for Sunday … 6 for Saturday. */
export function weekdayOf(day: Day): number {
  return weekday(`${day} 00:00:00`);
}

function millisecondsOf(time: string): number {
  return Date.parse(`${time.replace(' ', 'T')}Z`);
}

/** ICU separates with thin and narrow no-break spaces, which differ between its versions. */
function plainBlanks(text: string): string {
  return text.replace(/[\u2009\u202f\u00a0]/g, ' ');
}

/** Node 20 has the property, later versions the function. */
function firstWeekdayOf(locale: string): number {
  const intl = new Intl.Locale(locale) as Intl.Locale & { weekInfo?: WeekInfo; getWeekInfo?: () => WeekInfo };
  const { firstDay } = intl.getWeekInfo?.() ?? intl.weekInfo ?? { firstDay: 1 };
  return firstDay % 7;
}

interface WeekInfo {
  /** 1 for Monday … 7 for Sunday. */
  readonly firstDay: number;
}
