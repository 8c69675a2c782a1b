import { unavailable } from '../../../errors/api-error.js';
import type { ByteBudget } from '../../limits/byte-budget.js';

/** What one body takes of the budgets that it counts against. */
export class BodyReservation {
  private taken = 0;
  private isLeft = false;

  constructor(private readonly budgets: readonly ByteBudget[]) {}

  /** Takes so many bytes more; throws 503 where one of the budgets does not have them. */
  take(bytes: number): void {
    // Who has gone takes nothing: nobody would give it back.
    if (this.isLeft) return;
    const full = this.budgets.findIndex((budget) => !budget.reserve(bytes));
    if (full < 0) {
      this.taken += bytes;
      return;
    }
    for (const budget of this.budgets.slice(0, full)) budget.release(bytes);
    throw unavailable();
  }

  /** Gives back a part of what was taken. */
  release(bytes: number): void {
    if (this.isLeft) return;
    this.taken -= bytes;
    for (const budget of this.budgets) budget.release(bytes);
  }

  /** Gives back all of it, for good. */
  leave(): void {
    this.release(this.taken);
    this.isLeft = true;
  }
}
