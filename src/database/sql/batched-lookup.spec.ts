import { condition, isOneOf } from '../../kernel/sql-condition.js';
import type { Sql } from './dialect.js';
import { batchedLookup } from './batched-lookup.js';
import { BetterSqlite3 } from '../connection/sqlite-driver.js';

const file = new BetterSqlite3(':memory:');
file.exec("CREATE TABLE halls (id, name); INSERT INTO halls VALUES (1, 'Blue'), (2, '7'), (3, NULL)");
file.exec("CREATE TABLE people (id, login, status); INSERT INTO people VALUES (2, 'ann', 'x'), (9, 'bob', 'y')");
const sent: string[] = [];
const sql: Sql = {
  query: <Row>(text: string, params: readonly unknown[] = []) => {
    sent.push(text);
    return Promise.resolve(file.prepare(text).all(...params) as Row[]);
  },
};
const halls = (...ids: number[]) => {
  const { sql: where, params } = isOneOf('id', ids);
  return { numbers: ['id'], texts: ['name'], from: condition(`halls WHERE ${where}`, ...params) };
};
const people = { numbers: ['id'], texts: ['login', 'status'], from: condition('people WHERE id > ?', 5) };

beforeEach(() => (sent.length = 0));
afterAll(() => file.close());

test('queries of several tables are one statement, each with its own columns', async () => {
  expect(await batchedLookup(sql, [halls(1, 2, 3), people, halls(8)])).toEqual([
    [
      { id: 1, name: 'Blue' },
      { id: 2, name: '7' },
      { id: 3, name: null },
    ],
    [{ id: 9, login: 'bob', status: 'y' }],
    [],
  ]);
  expect(sent).toHaveLength(1);
});

test('an empty list of queries sends no statement', async () => {
  expect(await batchedLookup(sql, [])).toEqual([]);
  expect(sent).toEqual([]);
});

test('no statement has more parameters than engines accept', async () => {
  const many = {
    ...halls(1),
    from: condition(`halls WHERE id IN (${'?, '.repeat(14_999)}?)`, ...new Array<number>(15_000).fill(2)),
  };
  expect(await batchedLookup(sql, [halls(1), many, many, people])).toEqual([
    [{ id: 1, name: 'Blue' }],
    [{ id: 2, name: '7' }],
    [{ id: 2, name: '7' }],
    [{ id: 9, login: 'bob', status: 'y' }],
  ]);
  expect(sent).toHaveLength(2);
});
