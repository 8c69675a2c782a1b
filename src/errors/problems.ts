import { apiError } from './api-error.js';
import type { DetailCode } from './error-catalogue.js';

interface Problem {
  readonly code: DetailCode;
  readonly text: string;
}

/** Collects what is wrong with the parameters of one request, so that one answer names all of it. */
export class Problems {
  private readonly missing: string[] = [];
  private readonly invalid = new Map<string, Problem>();

  /** `order`: the names of the parameter table; answers list the wrong ones in that order. */
  constructor(private readonly order: readonly string[]) {}

  addMissing(name: string): void {
    this.missing.push(name);
  }

  /** Notes the first problem of a parameter; `text` continues the name: "must be an integer." */
  add(name: string, code: DetailCode, text: string): void {
    if (!this.invalid.has(name)) this.invalid.set(name, { code, text: `${name} ${text}` });
  }

  /** Notes that a parameter names records which are not there, or not for this caller; of none it notes nothing. */
  addUnknown(name: string, references: readonly (string | number)[]): void {
    if (references.length === 0) return;
    this.add(name, 'rest_unknown_reference', `refers to something that does not exist: ${references.join(', ')}.`);
  }

  /** Notes a problem inside a parameter; `text` begins with the place: "[0].website must be …". */
  addWithin(name: string, code: DetailCode, text: string): void {
    if (!this.invalid.has(name)) this.invalid.set(name, { code, text: `${name}${text}` });
  }

  has(name: string): boolean {
    return this.invalid.has(name) || this.missing.includes(name);
  }

  get isEmpty(): boolean {
    return this.missing.length === 0 && this.invalid.size === 0;
  }

  /** The texts of all problems, e.g. for the report of an import, or for the record that holds these members. */
  list(): { name: string; code: DetailCode | 'rest_missing'; text: string }[] {
    const missing = this.missing.map((name) => ({ name, code: 'rest_missing' as const, text: `${name} is required.` }));
    return [...missing, ...this.sorted().map(([name, problem]) => ({ name, ...problem }))];
  }

  /** The one 400: missing parameters first and alone, then all invalid ones together (contract section 6). */
  throwIfAny(): void {
    if (this.missing.length > 0) {
      const names = this.missing.join(', ');
      throw apiError('rest_missing_callback_param', { params: { names }, data: { params: this.missing } });
    }
    if (this.invalid.size === 0) return;
    const entries = this.sorted();
    throw apiError('rest_invalid_param', {
      params: { names: entries.map(([name]) => name).join(', ') },
      data: {
        params: Object.fromEntries(entries.map(([name, { text }]) => [name, text])),
        details: Object.fromEntries(
          entries.map(([name, { code, text }]) => [name, { code, message: text, data: null }]),
        ),
      },
    });
  }

  private sorted(): [string, Problem][] {
    const place = (name: string) => (this.order.includes(name) ? this.order.indexOf(name) : this.order.length);
    return [...this.invalid].sort(([a], [b]) => place(a) - place(b));
  }
}
