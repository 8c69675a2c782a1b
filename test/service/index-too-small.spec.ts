import { EventUpkeepService } from '../../src/events/event.upkeep.service.js';
import { startBeside } from '../support/app.js';
import { useApp } from '../support/events.js';
import { event } from '../support/factories.js';
import { insertEvents } from '../support/rows.js';

/** The index of events holds no higher id than 2^32 - 1. Servers give no such id, but the embedded database does. */
const BEYOND = 2 ** 32;

const app = useApp({ INDEX: 'off' });

test('a server whose index cannot hold the events starts, and reads them by SQL', async () => {
  const { client, tokens } = app();
  await insertEvents(app(), [{ id: 5 }, { id: BEYOND }]);
  const other = await startBeside(app(), { INDEX: 'on' });
  await other.app.get(EventUpkeepService).loadIndex();
  const listed = async () => {
    const { status, body } = await other.client.get('/events?per_page=50');
    return [status, body.total, (body.events as { id: number }[]).map(({ id }) => id)];
  };
  expect(await listed()).toEqual([200, 2, [5, BEYOND]]);

  const { id } = await event(client, tokens.adm, { start_date: '2027-03-11', end_date: '2027-03-12' });
  expect(await listed()).toEqual([200, 3, [5, BEYOND, id]]);
  expect((await other.client.get(`/events/${BEYOND}`)).status).toBe(200);
  await other.close();
});
