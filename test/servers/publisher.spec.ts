import { Database } from '../../src/database/database.js';
import { ScheduledPublisher } from '../../src/events/write/scheduled-publisher.js';
import { useApp } from '../support/events.js';
import { event } from '../support/factories.js';
import { whileHeld } from '../support/lock.js';

const app = useApp();

test('the publisher skips a locked event until its next run and publishes the rest', async () => {
  const { client, tokens, databaseUrl } = app();
  const made = [1, 2, 3].map(() => event(client, tokens.adm, { date: '2026-11-21' }));
  const ids = (await Promise.all(made)).map(({ id }) => id);
  app().setNow('2026-11-21T00:00:00Z');
  const publisher = app().app.get(ScheduledPublisher);
  const scheduled = () => app().app.get(Database).query("SELECT id FROM events WHERE status = 'future'");
  const held = ['START TRANSACTION', `SELECT id FROM events WHERE id = ${ids[1]} FOR UPDATE`];
  await whileHeld(databaseUrl, held, () => publisher.publishDue());
  expect(await scheduled()).toEqual([{ id: ids[1] }]);
  await publisher.publishDue();
  expect(await scheduled()).toEqual([]);
});
