import type { ImportResult } from './event-importer.js';

const MOST_ALTERATIONS = 20;
/** A file may name a new member in every line. */
const MOST_NAMES = 100;

/** What an import tells of its lines: what can be told at once, and what only at the end. */
export class ImportReport {
  private readonly sum = { added: 0, known: 0, refused: 0, altered: 0 };
  private readonly ignored = new Map<string, number>();
  private ignoredOthers = 0;

  get refused(): number {
    return this.sum.refused;
  }

  /** How many lines were looked at that hold events, or were refused. */
  get lines(): number {
    return this.sum.added + this.sum.known + this.sum.refused;
  }

  /** Adds up what became of some lines; answers what is to be said of them now. */
  add({ added, known, refusedLines, refused, losses: { altered, ignored } }: ImportResult): string[] {
    const alterations = altered.slice(0, Math.max(0, MOST_ALTERATIONS - this.sum.altered));
    this.sum.added += added;
    this.sum.known += known;
    this.sum.refused += refusedLines;
    this.sum.altered += altered.length;
    ignored.forEach((name) => this.ignore(name));
    return [
      ...refused.map(({ line, field, reason }) => `line ${line}: ${field === '' ? reason : `${field}: ${reason}`}`),
      ...alterations.map(
        ({ line, field, before, after }) =>
          `line ${line}: ${field}: ${JSON.stringify(before)} is kept as ${JSON.stringify(after)}`,
      ),
    ];
  }

  /** What was kept otherwise than it was sent, or not at all. */
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
    const { added, known, refused } = this.sum;
    return `${added} events ${dryRun ? 'would be added' : 'added'}, ${known} already there, ${refused} lines refused`;
  }

  private ignore(name: string): void {
    const count = this.ignored.get(name);
    if (count !== undefined || this.ignored.size < MOST_NAMES) this.ignored.set(name, (count ?? 0) + 1);
    else this.ignoredOthers += 1;
  }
}
