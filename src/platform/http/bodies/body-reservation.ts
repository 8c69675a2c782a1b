import { unavailable } from '../../../errors/api-error.js';
import type { ByteBudget } from '../../limits/byte-budget.js';

/** The bytes that one body has reserved, in each budget that it counts against. */
export class BodyReservation {
  private reserved = 0;
  private isClosed = false;

  constructor(private readonly budgets: readonly ByteBudget[]) {}

  /** Reserves bytes in all budgets. Throws 503 if one of them is exhausted. */
  reserve(bytes: number): void {
    // After the response is closed nothing would release the bytes.
    if (this.isClosed) return;
    const exhausted = this.budgets.findIndex((budget) => !budget.reserve(bytes));
    if (exhausted < 0) {
      this.reserved += bytes;
      return;
    }
    for (const budget of this.budgets.slice(0, exhausted)) budget.release(bytes);
    throw unavailable();
  }

  /** Releases a part of the reserved bytes. */
  release(bytes: number): void {
    if (this.isClosed) return;
    this.reserved -= bytes;
    for (const budget of this.budgets) budget.release(bytes);
  }

  /** Releases everything. Later calls have no effect. */
  close(): void {
    this.release(this.reserved);
    this.isClosed = true;
  }
}
