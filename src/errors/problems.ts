import { apiError } from './api-error.js';
import type { DetailCode } from './error-catalogue.js';

interface Problem {
  readonly code: DetailCode;
  readonly text: string;
}

/** Collects the invalid parameters of a request, so that one response names all of them. */
export class Problems {
  private readonly missing: string[] = [];
  private readonly invalid = new Map<string, Problem>();

  /** `order`: the names of the parameter table. Responses list problems in this order. */
  constructor(private readonly order: readonly string[]) {}

  /** Returns problems that have lost their class on the way from another thread. */
  static from(copied: Problems): Problems {
    return Object.assign(new Problems([]), copied);
  }

  addMissing(name: string): void {
    this.missing.push(name);
  }

  /** Adds a problem, unless the parameter has one already. `text` continues the name: "must be an integer." */
  add(name: string, code: DetailCode, text: string): void {
    if (!this.invalid.has(name)) this.invalid.set(name, { code, text: `${name} ${text}` });
  }

  /** Adds references to records that do not exist or that the caller may not see. An empty list adds nothing. */
  addUnknown(name: string, references: readonly (string | number)[]): void {
    if (references.length === 0) return;
    this.add(name, 'rest_unknown_reference', `refers to something that does not exist: ${references.join(', ')}.`);
  }

  /** Adds a problem inside a parameter. `text` begins with the position: "[0].website must be …". */
  addWithin(name: string, code: DetailCode, text: string): void {
    if (!this.invalid.has(name)) this.invalid.set(name, { code, text: `${name}${text}` });
  }

  has(name: string): boolean {
    return this.invalid.has(name) || this.missing.includes(name);
  }

  get isEmpty(): boolean {
    return this.missing.length === 0 && this.invalid.size === 0;
  }

  /** Returns all problems, e.g. for the report of an import. */
  list(): { name: string; code: DetailCode | 'rest_missing'; text: string }[] {
    const missing = this.missing.map((name) => ({ name, code: 'rest_missing' as const, text: `${name} is required.` }));
    return [...missing, ...this.sorted().map(([name, problem]) => ({ name, ...problem }))];
  }

  /** Throws a 400: for missing parameters alone, else for all invalid ones together (contract section 6). */
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
    const position = (name: string) => (this.order.includes(name) ? this.order.indexOf(name) : this.order.length);
    return [...this.invalid].sort(([a], [b]) => position(a) - position(b));
  }
}
