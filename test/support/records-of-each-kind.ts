import type { TestApp } from './app.js';
import { event, venue } from './factories.js';

/** Each has one event and one venue of each kind. A subscriber has no rights to own records. */
const OWNERS = ['con', 'aut', 'adm', 'sub'] as const;
/** The kinds of records: which fields create them, and which then change them. */
const KINDS: Record<string, { readonly create?: object; readonly change?: object }> = {
  publish: {},
  due: { create: { date: '2026-11-20 09:00' } },
  future: { create: { date: '2026-12-24' } },
  draft: { create: { status: 'draft' } },
  pending: { create: { status: 'pending' } },
  private: { create: { status: 'private' } },
  trash: { create: { status: 'trash' } },
  unpublished: { change: { status: 'draft' } },
  hidden: { create: { hide_from_listings: true } },
  unlisted: { change: { hide_from_listings: true } },
  protected: { change: { password: 'sesame' } },
};
/** Only events can be hidden or protected. */
const EVENTS_ONLY = ['hidden', 'unlisted', 'protected'];
/** After the date of the `due` records, before that of the `future` ones. */
export const LATER = '2026-11-20T10:00:00Z';

export interface Made {
  /** `event 12` */
  readonly key: string;
  readonly kind: string;
  readonly owner: (typeof OWNERS)[number];
  /** Words of the record that only readers may see. */
  readonly secret: string;
}

/** Makes events and venues of each kind and each owner, and changes each of them at `LATER`. */
export async function makeOfEachKind(service: TestApp): Promise<Made[]> {
  const { client, tokens, userIds } = service;
  const made: Made[] = [];
  for (const [kind, { create }] of Object.entries(KINDS)) {
    for (const owner of OWNERS) {
      for (const type of EVENTS_ONLY.includes(kind) ? (['event'] as const) : (['event', 'venue'] as const)) {
        const secret = `secret-${type}-${kind}-${owner}`;
        const fields = { author: userIds[owner], description: secret, ...create };
        const make = type === 'event' ? event : venue;
        const { id } = await make(client, tokens.adm, { [type === 'event' ? 'title' : 'venue']: secret, ...fields });
        made.push({ key: `${type} ${id}`, kind, owner, secret });
      }
    }
  }
  service.setNow(LATER);
  for (const { key, kind } of made) {
    const path = `/${key.replace(' ', 's/')}`;
    const change = KINDS[kind]?.change ?? { description: `${key} changed` };
    const reply = await client.put(path, change, tokens.adm);
    expect(reply.status).toBe(200);
    // The protected description must stay secret, the changed one of the others is as good.
    if (kind !== 'protected') continue;
    await client.put(path, { excerpt: 'changed' }, tokens.adm);
  }
  return made;
}
