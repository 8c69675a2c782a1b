import { NOW, startApp, type TestApp } from './app.js';
import type { Reply } from './client.js';
import { event } from './factories.js';

/** Starts one service for the tests of a describe. Resets the clock after each test. */
export function useApp(settings: Record<string, string> = {}): () => TestApp {
  let service: TestApp;
  beforeAll(async () => {
    service = await startApp(settings);
  });
  afterEach(() => service.setNow(NOW));
  afterAll(() => service.close());
  return () => service;
}

/** Children of one parent, so that a test lists only its own events. */
export interface Family {
  readonly parent: number;
  /** By title. */
  readonly ids: Readonly<Record<string, number>>;
  readonly list: (query?: string, token?: string) => Promise<Reply>;
  /** The titles of the list, in its order. */
  readonly titles: (query?: string, token?: string) => Promise<string[]>;
}

type Child = Record<string, unknown> & { readonly title: string; readonly token?: string };

/** Early, so that the events are public at every time that a test sets. */
const date = '2026-01-01';

/** Creates the events in the given order, as administrator unless `token` is set. */
export async function family({ client, tokens }: TestApp, ...children: readonly Child[]): Promise<Family> {
  const parent = (await event(client, tokens.adm, { title: 'Parent', date, hide_from_listings: true })).id as number;
  const ids: Record<string, number> = {};
  for (const { token = tokens.adm, ...fields } of children) {
    ids[fields.title] = (await event(client, token, { post_parent: parent, date, ...fields })).id;
  }
  const list = (query = '', token?: string) => client.get(`/events?post_parent=${parent}&${query}`, token);
  return { parent, ids, list, titles: async (query, token) => titlesOf(await list(query, token)) };
}

/** Returns the titles of a page. A status other than 200 fails the test. */
export function titlesOf(reply: Reply): string[] {
  if (reply.status !== 200) throw new Error(`the list answered ${reply.status}: ${reply.text}`);
  return (reply.body.events as { title: string }[]).map(({ title }) => title);
}

/** Expects a 400 that names exactly these parameters, each with the code of its detail. */
export function expectRefused(reply: Reply, details: Record<string, string>): void {
  expect([reply.status, reply.body.code]).toEqual([400, 'rest_invalid_param']);
  const found = Object.entries(reply.body.data.details as Record<string, { code: string }>);
  expect(found.map(([name, { code }]) => [name, code])).toEqual(Object.entries(details));
}

/** Returns the parameters of a link, decoded and in order. */
export function queryOf(link: string): [string, string][] {
  return [...new URL(link).searchParams];
}

/** Requests a link of a response. */
export function follow({ client }: TestApp, link: string, token?: string): Promise<Reply> {
  const { pathname, search } = new URL(link);
  return client.raw(pathname + search, { token });
}
