import type { ImportResult } from './event-importer.js';

const MAX_ALTERATIONS = 20;
/** Limits memory, because a file may have a new member in every line. */
const MAX_NAMES = 100;

/** Collects the results of an import and formats its messages. */
export class ImportReport {
  private readonly sum = { added: 0, known: 0, rejected: 0, altered: 0 };
  private readonly ignored = new Map<string, number>();
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
    ignored.forEach((name) => this.ignore(name));
    return [
      ...rejected.map(({ line, field, reason }) => `line ${line}: ${field === '' ? reason : `${field}: ${reason}`}`),
      ...alterations.map(
        ({ line, field, before, after }) =>
          `line ${line}: ${field}: ${JSON.stringify(before)} is kept as ${JSON.stringify(after)}`,
      ),
    ];
  }

  /** Returns the messages about altered and ignored values, to print at the end. */
  losses(): string[] {
    const { altered } = this.sum;
    const names = [...this.ignored].map(([name, count]) => `${name} (${count})`);
    if (this.ignoredOthers > 0) names.push(`others (${this.ignoredOthers})`);
    return [
      ...(altered > 0 ? [`values kept otherwise than their lines say: ${altered}`] : []),
      ...(names.length > 0 ? [`members that no field takes, and how often they are there: ${names.join(', ')}`] : []),
    ];
  }

  summary(dryRun: boolean): string {
    const { added, known, rejected } = this.sum;
    return `${added} events ${dryRun ? 'would be added' : 'added'}, ${known} already there, ${rejected} lines refused`;
  }

  private ignore(name: string): void {
    const count = this.ignored.get(name);
    if (count !== undefined || this.ignored.size < MAX_NAMES) this.ignored.set(name, (count ?? 0) + 1);
    else this.ignoredOthers += 1;
  }
}
