interface Bounds {
  /** Beyond so many the one that was noted first is forgotten. */
  readonly most: number;
  readonly seconds: number;
}

/** Keys that are remembered for a time in the memory of this process. */
export class RecentKeys {
  private readonly ends = new Map<string, number>();

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(
    private readonly bounds: Bounds,
    private readonly now = () => performance.now(),
  ) {}

  /** The time begins anew where the key is remembered already. */
  note(key: string): void {
    // What is noted last stands last.
    this.ends.delete(key);
    this.ends.set(key, this.now() + this.bounds.seconds * 1000);
    this.forget();
  }

  has(key: string): boolean {
    return (this.ends.get(key) ?? 0) > this.now();
  }

  /** All are remembered for the same time, so that those that are over stand first. */
  private forget(): void {
    for (const [key, end] of this.ends) {
      if (this.ends.size <= this.bounds.most && end > this.now()) return;
      this.ends.delete(key);
    }
  }
}
