import { Database } from '../../src/database/database.js';
import { batchedLookup } from '../../src/database/sql/batched-lookup.js';
import { ANONYMOUS, callerWith } from '../../src/kernel/caller.js';
import { readLinkItems } from '../../src/linked-posts/linked-post.resolve.js';
import { SiteSettings } from '../../src/config/site-settings.js';
import { Problems } from '../../src/errors/problems.js';
import type { RequestContext } from '../../src/platform/http/request-context.js';
import type { TestApp } from '../support/app.js';
import type { LinkedPostCase } from './linked-post.cases.js';

type Create = (name: string, fields?: object, token?: string) => Promise<number>;

/** Cases for finding and creating the venues or organizers of an event, called without an event. */
export function describeLinks({ kind, full, linksOf }: LinkedPostCase, running: () => TestApp, create: Create): void {
  const named = (name: unknown, fields: object = {}) => ({ [kind.nameField]: name, ...fields });

  const contextOf = (role?: 'contributor' | 'administrator', userId = running().userIds.adm): RequestContext => ({
    caller: role === undefined ? ANONYMOUS : callerWith(userId, role),
    nowUtc: '2026-11-20 08:39:00',
    site: running().app.get(SiteSettings),
    urls: undefined as never,
    fields: [],
    clientAddress: '',
  });

  async function link(value: unknown, context = contextOf('administrator')): Promise<number[] | string[]> {
    const service = running();
    const database = service.app.get(Database);
    const problems = new Problems([]);
    const items = readLinkItems(value);
    if (items === undefined) return ['form'];
    const links = linksOf(service);
    const known = links.linkableIdsOf(await batchedLookup(database, links.lookupQueries(items)), context);
    const plan = await links.check(database, items, known, 'field', context, problems);
    if (!problems.isEmpty) return problems.list().map(({ code, text }) => `${code}: ${text}`);
    return database.inTransaction(async (tx) => {
      await tx.lockNames(links.names(plan));
      const [ids = []] = await links.store(tx, [plan], context);
      return ids;
    });
  }

  describe(`links of events to ${kind.collection}`, () => {
    test('EV-NEW-09, EV-NEW-11: accepts every form of ids', async () => {
      const [a, b] = [await create('A'), await create('B')];
      for (const one of [
        a,
        `${a}`,
        ` ${a} `,
        { id: a },
        { id: `${a}`, ...named('') },
        [a],
        `${a},`,
        [`${a}`, null, '', 0],
      ]) {
        expect(await link(one)).toEqual([a]);
      }
      for (const two of [`${b}, ${a}`, [b, a, b], [{ id: b }, `${a}`]]) expect(await link(two)).toEqual([b, a]);
      for (const none of [0, '0', [], '', null, [''], ' , ']) expect(await link(none)).toEqual([]);
    });

    test('EV-NEW-10: creates records from inline data beside ids', async () => {
      const a = await create('A');
      const [made, found] = (await link([named('Θέατρο'), { id: a }])) as number[];
      expect(found).toBe(a);
      const { body } = await running().client.get(`/${kind.collection}/${made}`);
      expect(body).toMatchObject(named('Θέατρο', { author: String(running().userIds.adm), slug: 'θέατρο' }));
      const [fully] = (await link(full)) as number[];
      const shown = await running().client.get(`/${kind.collection}/${fully}`);
      expect(shown.body).toMatchObject({ ...full, image: { url: full.image } });
    });

    test('EV-NEW-12: rejects unknown forms, unknown ids and invalid data', async () => {
      const [trashed, draft] = [await create('T', { status: 'trash' }), await create('D', { status: 'draft' })];
      for (const form of ['Some hall', true, [true], [[1]], ['5,6'], { id: 'x' }])
        expect(await link(form)).toEqual(['form']);
      const unknown = (ids: string) => [
        `rest_unknown_reference: field refers to something that does not exist: ${ids}.`,
      ];
      expect(await link([2389, 2390])).toEqual(unknown('2389, 2390'));
      expect(await link(trashed)).toEqual(unknown(`${trashed}`));
      expect(await link(draft)).toEqual([draft]);
      expect(await link(draft, contextOf('contributor', running().userIds.con))).toEqual(unknown(`${draft}`));
      expect(await link({ city: 'X' })).toEqual([
        expect.stringMatching(new RegExp(`^rest_empty: .*\\.${kind.nameField} is required\\.$`)),
      ]);
      expect(await link(named('V', { website: 'foo' }))).toEqual([
        expect.stringMatching(/^rest_invalid_url: field ?\.website is not a valid URL\.$/),
      ]);
      expect(await link([0, named('V', { author: 2389 })])).toEqual([
        expect.stringMatching(
          /^rest_unknown_reference: field ?\[1\]\.author refers to something that does not exist: 2389\.$/,
        ),
      ]);
      expect(await link(Array(1001).fill(named('V')))).toEqual([
        'rest_too_long: field must not have more than 1000 items.',
      ]);
    });

    test('AUTH-07: anonymous callers do not learn which ids exist', async () => {
      const service = running();
      const problems = new Problems([]);
      const items = readLinkItems([2389, named('', {})]) ?? [];
      await linksOf(service).check(service.app.get(Database), items, new Set(), 'field', contextOf(), problems);
      expect(problems.list()).toMatchObject([{ name: 'field', code: 'rest_empty' }]);
    });

    test('AUTH-09, AUTH-11, AUTH-12: inline data follow the create rule', async () => {
      const con = contextOf('contributor', running().userIds.con);
      const [made] = (await link(named('By con', { status: 'publish' }), con)) as number[];
      const { body } = await running().client.get(`/${kind.collection}/${made}`, running().tokens.con);
      expect(body.status).toBe('pending');
      expect(await link(named('Pic', { image: 'https://example.com/a.jpg' }), con)).toEqual([
        expect.stringMatching(/^rest_not_allowed: field ?\.image has a value you are not allowed to use\.$/),
      ]);
      const foreign = link(named('Foreign', { author: running().userIds.adm }), con);
      await expect(foreign).rejects.toMatchObject({ code: 'rest_forbidden', status: 403 });
    });

    test('EV-NEW-14: reuses equal records, also within one request', async () => {
      const a = await create('A', { phone: '1' });
      expect(await link([named('a'), named('A', { phone: '1' }), a])).toEqual([a]);
      const [made, other] = (await link([named('New'), named('New'), named('new', { phone: '2' })])) as number[];
      expect(made).not.toBe(other);
      expect(await link(named('NEW'))).toEqual([made]);
    });

    test('EV-NEW-14: concurrent requests create equal records once', async () => {
      const all = await Promise.all(
        Array.from({ length: 6 }, (_, n) => link(n % 2 ? [named('X'), named('Y')] : [named('Y'), named('X')])),
      );
      expect(new Set(all.flat()).size).toBe(2);
    });

    test('VO-25: numbers the slugs of a name that repeats often', async () => {
      await link(Array.from({ length: 140 }, (_, n) => named('Same', { phone: `${n}` })));
      const { table } = kind;
      const rows = await running().app.get(Database).query<{ slug: string }>(`SELECT slug FROM ${table} ORDER BY id`);
      expect(rows.map(({ slug }) => slug)).toEqual(['same', ...Array.from({ length: 139 }, (_, n) => `same-${n + 2}`)]);
    });

    test('EV-GET-09: shows an event only with records that the caller may read', async () => {
      const service = running();
      const [open, draft] = [await create('A'), await create('B', { status: 'draft' })];
      const trashed = await create('C', { status: 'trash' });
      const links = linksOf(service);
      const seen = async (context: RequestContext) =>
        [...(await links.findVisible(service.app.get(Database), [trashed, draft, open, 2389], context)).keys()].sort();
      expect(await seen(contextOf())).toEqual([open]);
      expect(await seen(contextOf('administrator'))).toEqual([open, draft]);
      const problems = new Problems([]);
      await links.checkFilter(service.app.get(Database), [trashed], 'venue', contextOf('administrator'), problems);
      expect(problems.isEmpty).toBe(true);
      await links.checkFilter(service.app.get(Database), [trashed], 'venue', contextOf(), problems);
      expect(problems.list()).toMatchObject([{ code: 'rest_unknown_reference' }]);
    });
  });
}
