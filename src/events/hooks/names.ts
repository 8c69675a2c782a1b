/** Names end up in URLs, in `_fields` and in JSON. */
const SNAKE_CASE = /^[a-z][a-z0-9_]*$/;

/** The names of one kind that are taken. Modules add to them. */
export class Names {
  private readonly taken: Set<string>;

  /** `kind` completes "There is already a …". */
  constructor(
    private readonly kind: string,
    taken: readonly string[],
  ) {
    this.taken = new Set(taken);
  }

  /** Takes a name. Throws if it is taken or not in snake_case: an error of the module that ends the start. */
  add(name: string): void {
    if (!SNAKE_CASE.test(name)) throw new Error(`The name "${name}" of a ${this.kind} is not in snake_case.`);
    if (this.taken.has(name)) throw new Error(`There is already a ${this.kind} with the name "${name}".`);
    this.taken.add(name);
  }
}
