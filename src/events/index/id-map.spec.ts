import { IdMap } from './id-map.js';
import { inListOrder } from './list-order.js';
import { NumberLists } from './number-lists.js';
import { TermTree } from './term-tree.js';

test('an id map finds the slots of ids, also of high and of scattered ones', () => {
  const map = new IdMap();
  const ids = [1, 1_023, 1_024, 5_000_000, 4_294_967_295];
  ids.forEach((id, slot) => map.set(id, slot));
  expect([...ids, 2, 5_000_001].map((id) => map.get(id))).toEqual([0, 1, 2, 3, 4, undefined, undefined]);
});

test('an id map takes no memory for pages whose ids were all deleted', () => {
  const map = new IdMap();
  for (let id = 1; id <= 100_000; id += 1) map.set(id, 0);
  for (let id = 1; id < 100_000; id += 1) map.delete(id);
  const { pages } = map as unknown as { pages: Map<number, unknown> };
  expect([pages.size, map.get(99_999), map.get(100_000)]).toEqual([1, undefined, 0]);
  map.delete(99_999);
  expect(map.get(100_000)).toBe(0);
});

test('lists of numbers keep their values when others grow, shrink and leave gaps', () => {
  const lists = new NumberLists();
  const expected: number[][] = [];
  for (let n = 0; n < 20_000; n += 1) {
    const slot = (n * 7_919) % 500;
    expected[slot] = Array.from({ length: (n * 31) % 12 }, (_, place) => n + place);
    lists.grow(slot + 1);
    lists.set(slot, expected[slot]);
  }
  expect(expected.map((_, slot) => lists.of(slot))).toEqual(expected);
  const { numbers } = lists as unknown as { numbers: Uint32Array };
  expect(numbers.length).toBeLessThan(500 * 12 * 3);
});

test('slots are put in the order of starts, from the first year to the last, and equal starts keep their order', async () => {
  const starts = new Float64Array([5, -30_610_224_000, 5, 253_402_300_799, -1, 0]);
  expect([...(await inListOrder(starts, 2))]).toEqual([1, 4, 5, 0, 2, 3]);
});

test('a term tree gives the parents of terms, and the roots of their branches', () => {
  const tree = new TermTree();
  for (const [id, parent] of [
    [2, 1],
    [3, 2],
    [4, 2],
    [6, 5],
  ] as const)
    tree.set(id, parent);
  expect(tree.roots([3, 2, 4, 6])).toEqual([2, 6]);
  expect([tree.set(3, 2), tree.set(3, 5), tree.set(3, 0), tree.set(2, 0)]).toEqual([false, true, true, true]);
  expect([3, 4, 2].map((id) => tree.parentOf(id))).toEqual([0, 2, 0]);
});

test('walks up a term tree end in a circle of parents, of which the first term stands for the branch', () => {
  const tree = new TermTree();
  for (const [id, parent] of [
    [1, 3],
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 5],
  ] as const)
    tree.set(id, parent);
  expect([4, 1, 5].map((id) => [...tree.ancestorsOf(id)])).toEqual([[3, 2, 1], [3, 2, 1], [5]]);
  expect([[4], [2, 3, 4], [3, 1], [5]].map((ids) => tree.roots(ids))).toEqual([[4], [2], [1], [5]]);
});
