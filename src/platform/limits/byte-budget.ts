/** So many bytes may be held at one time: whoever holds some reserves them first and releases them afterwards. */
export class ByteBudget {
  private reserved = 0;

  constructor(private readonly total: number) {}

  /** How many bytes are held now. */
  get held(): number {
    return this.reserved;
  }

  /** Takes all these bytes; answers `false`, and takes none, where there is no room for all of them. */
  reserve(bytes: number): boolean {
    if (this.reserved + bytes > this.total) return false;
    this.reserved += bytes;
    return true;
  }

  /** Gives bytes back that were reserved. */
  release(bytes: number): void {
    this.reserved -= bytes;
  }
}
