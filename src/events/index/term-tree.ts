const NO_TERMS: readonly number[] = [];

/** The parents of categories. Tags have none. */
export class TermTree {
  private readonly parents = new Map<number, number>();
  /** The ancestors that were asked for. Each new event asks for those of its categories. */
  private readonly known = new Map<number, readonly number[]>();

  /** Sets the parent of a term (0: none). Returns whether its branch has moved. */
  set(id: number, parent: number): boolean {
    const before = this.parentOf(id);
    this.known.clear();
    if (parent === 0) this.parents.delete(id);
    else this.parents.set(id, parent);
    return before !== parent;
  }

  /** Returns the terms with a parent, each with it. */
  all(): ReadonlyMap<number, number> {
    return this.parents;
  }

  /** Returns the parent of a term. 0: none. */
  parentOf(id: number): number {
    return this.parents.get(id) ?? 0;
  }

  /**
   * Returns the ancestors of a term, the nearest first. Each comes once: while two processes move categories, their parents
   * may form a circle for a moment.
   */
  ancestorsOf(id: number): readonly number[] {
    if (!this.parents.has(id)) return NO_TERMS;
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const ancestors: number[] = [];
    for (let parent = this.parentOf(id); parent !== 0 && !ancestors.includes(parent); parent = this.parentOf(parent))
      ancestors.push(parent);
    this.known.set(id, ancestors);
    return ancestors;
  }

  /** Returns those of the terms that are in the branch of no other one. Of a circle it returns the first id. */
  roots(ids: readonly number[]): number[] {
    const given = new Set(ids);
    const isBelowAnother = (id: number) =>
      this.ancestorsOf(id).some(
        (above) => above !== id && given.has(above) && (above < id || !this.ancestorsOf(above).includes(id)),
      );
    return ids.filter((id) => !isBelowAnother(id));
  }
}
