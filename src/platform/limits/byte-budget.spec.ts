import { ByteBudget } from './byte-budget.js';

describe('ByteBudget', () => {
  it('reserves all requested bytes or none', () => {
    const budget = new ByteBudget(10);
    expect([budget.reserve(6), budget.reserve(5), budget.reserve(4), budget.reserve(1)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(budget.reservedBytes).toBe(10);
  });

  it('reserves released bytes again', () => {
    const budget = new ByteBudget(10);
    budget.reserve(10);
    budget.release(4);
    expect([budget.reserve(5), budget.reserve(4), budget.reservedBytes]).toEqual([false, true, 10]);
  });
});
