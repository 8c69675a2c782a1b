import type { Formats } from './calendar/formats.js';
import type { TimeWords } from './calendar/when.js';
import { DE } from './words.de.js';
import { EN } from './words.en.js';
import { FR } from './words.fr.js';

export type WordKey = keyof typeof EN;
type Dictionary = Readonly<Record<WordKey, string>>;

const DICTIONARIES: Readonly<Record<string, Dictionary>> = { en: EN, de: DE, fr: FR };

/** The texts of the pages in one language. */
export class Words {
  /** The language of the texts: English if there are none in the wanted language. */
  readonly language: string;
  readonly times: TimeWords;
  private readonly dictionary: Dictionary;

  constructor(
    wanted: string,
    private readonly formats: Formats,
  ) {
    this.language = wanted in DICTIONARIES ? wanted : 'en';
    this.dictionary = DICTIONARIES[this.language] ?? EN;
    this.times = {
      allDay: this.of('allDay'),
      nextDay: this.of('nextDay'),
      until: (date) => this.of('until', { date }),
      since: (date) => this.of('since', { date }),
      dayOfDays: (day, days) => this.of('dayOfDays', { day: String(day), days: String(days) }),
    };
  }

  /** Returns a text with its `{name}` placeholders filled. */
  of(key: WordKey, values?: Readonly<Record<string, string>>): string {
    const text = this.dictionary[key];
    if (values === undefined) return text;
    return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
  }

  /** Returns the form of a text for a number: `events.one` or `events.other`. `{n}` is the number. */
  count(key: CountedKey, count: number, values: Readonly<Record<string, string>> = {}): string {
    const form = this.formats.plural(count) === 'one' ? 'one' : 'other';
    return this.of(`${key}.${form}`, { ...values, n: this.formats.number(count) });
  }
}

type CountedKey = WordKey extends infer Key ? (Key extends `${infer Base}.one` ? Base : never) : never;
