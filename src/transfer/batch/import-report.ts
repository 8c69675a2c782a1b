import { counted } from '../../kernel/text/counted.js';
import type { UnknownMember } from '../lines/line-losses.js';
import type { ImportResult } from './event-importer.js';
import type { LineError } from './line-error.js';

const MAX_ALTERATIONS = 20;
/** Limits memory, because a file may have a new member in every line. */
const MAX_NAMES = 100;

/** Collects the results of an import and formats its messages. */
export class ImportReport {
  private readonly sum = { added: 0, known: 0, rejected: 0, altered: 0 };
  private readonly ignored = new Map<string, { count: number; readonly meant?: string }>();
  private ignoredOthers = 0;

  get rejected(): number {
    return this.sum.rejected;
  }

  /** The number of processed lines: events and rejected lines. */
  get lines(): number {
    return this.sum.added + this.sum.known + this.sum.rejected;
  }

  /** Adds the result of some lines and returns the messages to print now. */
  add({ added, known, rejectedLines, rejected, losses: { altered, ignored } }: ImportResult): string[] {
    const alterations = altered.slice(0, Math.max(0, MAX_ALTERATIONS - this.sum.altered));
    this.sum.added += added;
    this.sum.known += known;
    this.sum.rejected += rejectedLines;
    this.sum.altered += altered.length;
    ignored.forEach((member) => this.ignore(member));
    return [
      ...rejected.map(errorText),
      ...alterations.map(
        ({ line, field, before, after }) =>
          `line ${line}: ${field}: ${JSON.stringify(before)} is kept as ${JSON.stringify(after)}`,
      ),
    ];
  }

  /** Returns the messages about altered and ignored values, to print at the end. */
  losses(): string[] {
    const { altered } = this.sum;
    const names = [...this.ignored].map(([name, { count, meant }]) => {
      return meant === undefined ? `${name} (${count})` : `${name} (${count}; did you mean ${meant}?)`;
    });
    if (this.ignoredOthers > 0) names.push(`others (${this.ignoredOthers})`);
    return [
      ...(altered > 0 ? [`${counted(altered, 'value')} kept otherwise than in the file`] : []),
      ...(names.length > 0 ? [`unknown members, and how often: ${names.join(', ')}`] : []),
    ];
  }

  summary(dryRun: boolean): string {
    const { added, known, rejected } = this.sum;
    const events = `${counted(added, 'event')} ${dryRun ? 'would be added' : 'added'}`;
    return `${events}, ${known} already there, ${counted(rejected, 'line')} rejected`;
  }

  private ignore({ name, meant }: UnknownMember): void {
    const known = this.ignored.get(name);
    if (known !== undefined) known.count += 1;
    else if (this.ignored.size < MAX_NAMES) this.ignored.set(name, { count: 1, meant });
    else this.ignoredOthers += 1;
  }
}

/** Returns one line: place and title, reason, the value in the line, and what was expected. */
function errorText({ line, column, title, field, reason, found, expected }: LineError): string {
  const place = `line ${line}${column === undefined ? '' : `, column ${column}`}`;
  const name = title === undefined ? '' : ` (${JSON.stringify(title)})`;
  const subject = field === '' || reason.startsWith(field) ? '' : `${field}: `;
  const details = [found && `Found ${found}.`, expected && `Expected ${expected}.`].filter(
    (text) => text !== undefined,
  );
  return [`${place}${name}: ${subject}${reason}`, ...details].join(' ');
}
