import { ByteBudget } from './byte-budget.js';

describe('ByteBudget', () => {
  it('gives as many bytes as there are, all that were asked for or none', () => {
    const budget = new ByteBudget(10);
    expect([budget.reserve(6), budget.reserve(5), budget.reserve(4), budget.reserve(1)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(budget.held).toBe(10);
  });

  it('has room again for what was released', () => {
    const budget = new ByteBudget(10);
    budget.reserve(10);
    budget.release(4);
    expect([budget.reserve(5), budget.reserve(4), budget.held]).toEqual([false, true, 10]);
  });
});
