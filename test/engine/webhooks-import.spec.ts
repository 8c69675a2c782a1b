import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Clock } from '../../src/config/clock.js';
import { WebhookDispatcher } from '../../src/webhooks/dispatch/dispatcher.js';
import { startOwnApp, type TestApp } from '../support/app.js';
import { runCommand } from '../support/command.js';
import { E } from '../support/factories.js';
import { emptyFolder } from '../support/process.js';
import { Receiver, TO_RECEIVERS } from '../support/receiver.js';
import { until } from '../support/until.js';

/** Nightly there are 6,008. */
const EVENTS = Number(process.env.WEBHOOK_EVENTS ?? 300);
/** Requests to one webhook at once (webhooks rule 3.6). */
const MOST_AT_ONCE = 4;
/** Slow enough that requests overlap. */
const ANSWER_MS = 20;

let service: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.listen();
  service = await startOwnApp(TO_RECEIVERS);
  // The clock of the command, too.
  service.app.get(Clock).milliseconds = () => Date.now();
  service.app.get(WebhookDispatcher).start();
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});

test(
  `HOOK-21: an import of ${EVENTS} events: each arrives, at most ${MOST_AT_ONCE} messages at once`,
  async () => {
    const { client, tokens, databaseUrl } = service;
    let [atOnce, most] = [0, 0];
    receiver.answer = (response) => {
      most = Math.max(most, (atOnce += 1));
      setTimeout(() => {
        atOnce -= 1;
        response.end();
      }, ANSWER_MS);
    };
    await client.post('/webhooks', { url: receiver.url, types: ['event.created'] }, tokens.adm);
    const file = join(emptyFolder(), 'events.jsonl');
    const lines = Array.from({ length: EVENTS }, (_, index) => JSON.stringify({ ...E, title: `Event ${index}` }));
    writeFileSync(file, lines.join('\n'));
    const { code, stderr } = await runCommand(['import', file], { DATABASE_URL: databaseUrl });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')]);

    await until(() => new Set(receiver.told).size >= EVENTS, EVENTS * 200).catch(() => undefined);
    const { total } = (await client.get('/events?per_page=1')).body;
    expect([total, new Set(receiver.told).size]).toEqual([EVENTS, EVENTS]);
    // No process was killed, so none comes twice.
    expect(receiver.told).toHaveLength(EVENTS);
    expect(most).toBe(MOST_AT_ONCE);
  },
  Math.max(180_000, EVENTS * 300),
);
