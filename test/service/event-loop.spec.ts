import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Database } from '../../src/database/database.js';
import { UNOBSERVED } from '../../src/database/statement-observer.js';
import { startApp, type TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { category, event, organizer, tag, venue } from '../support/factories.js';

let service: TestApp;
beforeAll(async () => {
  service = await startApp({ CACHE_ENTRIES: '0' });
});
afterAll(() => service.close());

test('the event loop serves other requests between the statements of slow reads', async () => {
  const { client, tokens, app } = service;
  const made = [venue, organizer, category, tag].map((make) => make(client, tokens.adm, { name: 'Linked' }));
  const [place, held, kind, word] = (await Promise.all(made)).map(({ id }) => id as number);
  await event(client, tokens.adm, { venue: place, organizer: held, categories: [kind], tags: [word] });
  // New connections are accepted in order, so that a new one would be served after all reads in any case.
  const agent = new Agent({ keepAlive: true });
  const probe = new Client(client.port, client.mount, { agent });
  await probe.raw('/health/live');
  let begun = 0;
  let answeredAt: number | undefined;
  app.getHttpServer().on('request', ({ url }: IncomingMessage, response: ServerResponse) => {
    if (url === '/health/live') response.once('finish', () => (answeredAt = begun));
  });
  const database = app.get(Database);
  database.observer = {
    ...UNOBSERVED,
    statements: (_texts, send) => {
      begun += 1;
      // As a slow statement of an embedded database does. Servers compute in another process.
      for (const end = performance.now() + 20; performance.now() < end;);
      return send();
    },
  };
  await Promise.all([probe.raw('/health/live'), ...Array.from({ length: 20 }, () => client.get('/events'))]);
  expect(answeredAt).toBeLessThan(begun / 2);
  database.observer = UNOBSERVED;
  agent.destroy();
});
