/** Limits bytes in memory. Callers reserve bytes before they allocate and release them afterwards. */
export class ByteBudget {
  private reserved = 0;

  constructor(private readonly total: number) {}

  /** Reserved bytes. */
  get reservedBytes(): number {
    return this.reserved;
  }

  /** Reserves all these bytes, or returns false and reserves none. */
  reserve(bytes: number): boolean {
    if (this.reserved + bytes > this.total) return false;
    this.reserved += bytes;
    return true;
  }

  /** Releases reserved bytes. */
  release(bytes: number): void {
    this.reserved -= bytes;
  }
}
