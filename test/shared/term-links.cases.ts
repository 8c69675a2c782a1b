import { Database } from '../../src/database/database.js';
import { batchedLookup } from '../../src/database/sql/batched-lookup.js';
import { callerWith } from '../../src/kernel/caller.js';
import type { Role } from '../../src/kernel/capability.js';
import { Problems } from '../../src/errors/problems.js';
import type { RequestContext } from '../../src/platform/http/request-context.js';
import type { TermItem } from '../../src/terms/term.items.js';
import type { TermKind } from '../../src/terms/term.kind.js';
import { TermLinks, type TermPlan } from '../../src/terms/term.resolve.js';
import { startApp, type TestApp } from '../support/app.js';

/** Tests how events link to the terms of a kind and filter by them. */
export function describeTermLinks(kind: TermKind, creator: Role, other: Role): void {
  describe(`${kind.collection} of events`, () => {
    const links = new TermLinks(kind);
    let service: TestApp;
    let database: Database;

    beforeEach(async () => {
      service = await startApp();
      database = service.app.get(Database);
    });

    afterEach(() => service.close());

    const contextOf = (role: Role) =>
      ({ caller: callerWith(1, role), nowUtc: '2026-11-20 08:39:00' }) as unknown as RequestContext;
    const create = async (name: string, fields: object = {}): Promise<number> =>
      (await service.client.post(`/${kind.collection}`, { name, ...fields }, service.tokens.adm)).body.id as number;
    const filter = async (...items: TermItem[]) => {
      const problems = new Problems([]);
      return { ids: await links.filterIds(database, items, 'field', problems), texts: textsOf(problems) };
    };
    const check = async (items: TermItem[], role = creator) => {
      const problems = new Problems([]);
      const meanings = links.lookupOf(await batchedLookup(database, links.lookupQueries(items)));
      return { ...links.check(items, meanings, 'field', contextOf(role), problems), texts: textsOf(problems) };
    };
    const storeAll = (plans: TermPlan[]) =>
      database.inTransaction(async (tx) => {
        await tx.lockNames(plans.flatMap((plan) => links.names(plan)));
        return links.store(tx, plans, contextOf(creator));
      });
    const store = async (plan: TermPlan) => (await storeAll([plan]))[0] ?? [];
    const namesOf = async (ids: readonly number[]) => {
      const found = await Promise.all(ids.map((id) => service.client.get(`/${kind.collection}/${id}`)));
      return found.map(({ body }) => body.name as string);
    };

    test('EV-LIST-24: filters by ids and slugs in any case, and rejects names and unknown values', async () => {
      const [a, b] = [await create('First one'), await create('B')];
      expect(await filter('FIRST-ONE', String(b), 'b')).toEqual({ ids: [a, b], texts: [] });
      expect(await filter('First one', 'b', '2389', '-1')).toMatchObject({
        texts: ['field refers to something that does not exist: First one, 2389, -1.'],
      });
      expect(await links.filterIds(database, undefined, 'field', new Problems([]))).toBeUndefined();
    });

    test('EV-LIST-25: digits are an id if such a term exists, otherwise a slug', async () => {
      const year = await create('2389');
      expect((await filter('2389')).ids).toEqual([year]);
      await create('X', { slug: String(year) });
      expect((await filter(String(year))).ids).toEqual([year]);
    });

    test('EV-NEW-15, EV-NEW-16: accepts ids, slugs and names, and plans to create unknown names', async () => {
      const [a, b] = [await create('Outdoor', { slug: 'open' }), await create('2389')];
      const items = [a, 'open', 'OUTDOOR', '2389', 'New', 'NEW', 'Other'];
      expect(await check(items)).toEqual({ ids: [a, b], names: ['New', 'Other'], texts: [] });
      expect(await check([])).toEqual({ ids: [], names: [], texts: [] });
      for (const item of [2389, '23', -1]) {
        expect((await check([item])).texts).toEqual([`field refers to something that does not exist: ${item}.`]);
      }
    });

    test('EV-NEW-15: prefers a term with that slug to a term with that name', async () => {
      const named = await create('x');
      const slugged = await create('Y', { slug: 'z' });
      await create('z', { slug: 'zz' });
      expect((await check(['X', 'Z'])).ids).toEqual([named, slugged]);
    });

    test('AUTH-15: a caller that may not create terms may use existing terms only', async () => {
      const a = await create('A');
      expect((await check(['a'], other)).ids).toEqual([a]);
      expect((await check(['a', 'New'], other)).texts).toEqual(['field has a value you are not allowed to use.']);
    });

    test('creates missing terms and uses a term that was created meanwhile', async () => {
      const a = await create('A');
      const plan = await check([a, 'New one', 'new-one', 'B']);
      const b = await create('b');
      const ids = await store(plan);
      expect(ids).toEqual([a, expect.any(Number), b]);
      expect(await namesOf(ids)).toEqual(['A', 'New one', 'b']);
    });

    test('several plans share a new term, whether they use its name or its slug', async () => {
      const a = await create('A');
      const [one, two, none, all] = await Promise.all([
        check(['New one', a]),
        check(['NEW ONE']),
        check([]),
        check(['B', 'new-one', 'A']),
      ]);
      const stored = await storeAll([one, two, none, all]);
      const made = stored[1]?.[0] ?? 0;
      expect(stored).toEqual([[a, made], [made], [], [a, made + 1, made]]);
      expect(await namesOf([made, made + 1])).toEqual(['New one', 'B']);
    });

    test('concurrent creates of equal names make one term', async () => {
      const plan = await check(['Same']);
      const stored = await Promise.all(Array.from({ length: 5 }, () => store(plan)));
      expect(new Set(stored.flat()).size).toBe(1);
    });
  });
}

function textsOf(problems: Problems): string[] {
  return problems.list().map(({ text }) => text);
}
