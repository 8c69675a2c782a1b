/** The parents of categories. Tags have none. */
export class TermTree {
  private readonly parents = new Map<number, number>();

  /** Sets the parent of a term (0: none). Returns whether its branch has moved. */
  set(id: number, parent: number): boolean {
    const before = this.parentOf(id);
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

  /** Returns those of the terms that are in the branch of no other one. */
  roots(ids: readonly number[]): number[] {
    const given = new Set(ids);
    const isBelowAnother = (id: number) => {
      for (let parent = this.parentOf(id); parent !== 0; parent = this.parentOf(parent))
        if (given.has(parent)) return true;
      return false;
    };
    return ids.filter((id) => !isBelowAnother(id));
  }
}
