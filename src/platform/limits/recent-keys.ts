interface Bounds {
  /** Above this number the oldest key is removed. */
  readonly maxKeys: number;
  readonly seconds: number;
}

/** A set of keys with an expiry, in the memory of this process. */
export class RecentKeys {
  private readonly expiries = new Map<string, number>();

  /** `now`: a monotonic clock, in milliseconds. */
  constructor(
    private readonly bounds: Bounds,
    private readonly now = () => performance.now(),
  ) {}

  /** Adds a key, or restarts its time. */
  add(key: string): void {
    // Deleting first moves the key to the end of the map's order.
    this.expiries.delete(key);
    this.expiries.set(key, this.now() + this.bounds.seconds * 1000);
    this.removeOld();
  }

  has(key: string): boolean {
    return (this.expiries.get(key) ?? 0) > this.now();
  }

  /** Removes expired keys. They come first, because all keys have the same lifetime. */
  private removeOld(): void {
    for (const [key, end] of this.expiries) {
      if (this.expiries.size <= this.bounds.maxKeys && end > this.now()) return;
      this.expiries.delete(key);
    }
  }
}
