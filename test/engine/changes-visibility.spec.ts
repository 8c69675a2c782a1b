import { Copy, type ToldChange } from '../support/changes.js';
import { useApp } from '../support/events.js';
import { LATER, type Made, makeOfEachKind } from '../support/records-of-each-kind.js';

/** The callers; con2 and aut2 own nothing. */
const CALLERS = ['anon', 'sub', 'con', 'con2', 'aut', 'aut2', 'edi', 'adm'] as const;
type CallerName = (typeof CALLERS)[number];

type Told = 'record' | 'blanked' | 'deleted' | 'nothing';

/** What a change of a record tells: to everybody, to its owner, to editors. Written by hand, to be independent of the code. */
const TABLE: Record<string, readonly [everybody: Told, owner: Told, editors: Told]> = {
  publish: ['record', 'record', 'record'],
  due: ['record', 'record', 'record'],
  future: ['nothing', 'record', 'record'],
  draft: ['nothing', 'record', 'record'],
  pending: ['nothing', 'record', 'record'],
  private: ['nothing', 'record', 'record'],
  trash: ['nothing', 'deleted', 'deleted'],
  unpublished: ['deleted', 'record', 'record'],
  hidden: ['nothing', 'deleted', 'deleted'],
  unlisted: ['deleted', 'deleted', 'deleted'],
  protected: ['blanked', 'record', 'record'],
};

const app = useApp();
const made: Made[] = [];
/** Copies of each caller: `before` begins before the records were made, `after` is filled at the end. */
const copies = {} as Record<CallerName, { readonly before: Copy; readonly after: Copy }>;

beforeAll(async () => {
  const { client, tokens } = app();
  const all: Partial<Record<CallerName, string>> = {
    ...tokens,
    con2: (await app().newUser('contributor')).token,
    aut2: (await app().newUser('author')).token,
  };
  for (const caller of CALLERS) {
    const options = { token: all[caller] };
    copies[caller] = { before: new Copy(client, options), after: new Copy(client, options) };
    await copies[caller].before.follow();
  }
  made.push(...(await makeOfEachKind(app())));
});

function expected(caller: CallerName, { kind, owner }: Made): Told {
  const [everybody, own, editors] = TABLE[kind]!;
  if (caller === 'edi' || caller === 'adm') return editors;
  // Contributors may not edit their own events after publication, so these are blanked for them, too.
  if (caller === owner && caller !== 'sub') return kind === 'protected' && caller === 'con' ? 'blanked' : own;
  return everybody;
}

function found(changes: readonly ToldChange[], { key }: Made): Told {
  const change = changes.find(({ type, id }) => `${type} ${id}` === key);
  if (change === undefined) return 'nothing';
  if (change.deleted) return 'deleted';
  return change.type === 'event' && change.record?.description === '' ? 'blanked' : 'record';
}

describe.each(CALLERS)('CHG-27: %s', (caller) => {
  beforeEach(() => app().setNow(LATER));

  test('a follow-up tells of the changes that the caller may know of, and of no others', async () => {
    const { before } = copies[caller];
    const changes: ToldChange[] = [];
    for (let hasMore = true; hasMore;) {
      const { body, text } = await before.step();
      changes.push(...(body.changes as ToldChange[]));
      hasMore = body.has_more as boolean;
      for (const record of made) {
        const isReadable = ['record', 'blanked'].includes(expected(caller, record));
        expect([record.key, text.includes(record.secret)].join()).toMatch(isReadable ? /./ : /false/);
      }
    }
    expect(made.map((record) => [record.secret, found(changes, record)])).toEqual(
      made.map((record) => [record.secret, expected(caller, record)]),
    );
  });

  test('a first fill has the records of the lists, and equals the followed copy', async () => {
    const { before, after } = copies[caller];
    const changes = await after.follow();
    const shown = (record: Made) => {
      const told = expected(caller, record);
      return told === 'deleted' ? 'nothing' : told;
    };
    expect(made.map((record) => [record.secret, found(changes, record)])).toEqual(
      made.map((record) => [record.secret, shown(record)]),
    );
    expect(before.contents()).toEqual(after.contents());
  });
});
