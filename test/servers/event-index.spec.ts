import { IndexCheck } from '../../src/events/index/index-check.js';
import { startBeside } from '../support/app.js';
import { event } from '../support/factories.js';
import { type GatedApp, startGated } from '../support/gated-app.js';

/** The index of events, and a database server that does not answer. */
let gated: GatedApp;
beforeAll(async () => {
  gated = await startGated({ INDEX: 'on', DATABASE_READ_TIMEOUT: '2' });
});
afterAll(() => gated.close());

test('ERR-12: without an answer about the newest commit, lists and events get 503, never what is in memory', async () => {
  const { service, gate, databaseUrl } = gated;
  const { client, tokens } = service;
  const other = await startBeside({ ...service, databaseUrl }, { INDEX: 'off' });
  const { id } = await event(client, tokens.adm);
  const paths = ['/events', `/events/${id}`, `/events?include=${id}`];
  const statuses = () => Promise.all(paths.map(async (path) => (await client.get(path)).status));
  const [before] = [await statuses(), await statuses()];
  expect(before).toEqual([200, 200, 200]);
  await gate.shut();
  expect(await statuses()).toEqual([503, 503, 503]);
  await other.client.post(`/events/${id}`, { status: 'draft' }, tokens.adm);
  await gate.open();
  expect(await statuses()).toEqual([200, 403, 200]);
  expect((await client.get(`/events?include=${id}`)).body.total).toBe(0);
  expect(await service.app.get(IndexCheck).differences()).toEqual([]);
  await other.close();
});
