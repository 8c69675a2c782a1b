import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, startBeside, type TestApp } from '../support/app.js';
import { Copy, told, type ToldChange } from '../support/changes.js';
import { event } from '../support/factories.js';

let service: TestApp;
let beside: Awaited<ReturnType<typeof startBeside>>;
beforeAll(async () => {
  service = await startApp();
  beside = await startBeside(service);
});
afterAll(async () => {
  await beside.close();
  await service.close();
});

async function follower(token?: string) {
  const copy = new Copy(beside.client, { token });
  copy.since = 'now';
  await copy.step();
  return copy;
}

/** Returns the seconds that a request took, and its changes. */
async function timed(copy: Copy, seconds: number) {
  const begin = performance.now();
  const { body, headers } = await copy.step(`&wait=${seconds}`);
  const changes = (body.changes as ToldChange[]).map(told);
  return { seconds: (performance.now() - begin) / 1000, changes, headers };
}

test('CHG-19: a waiting request is answered by a write at another instance, and not by a draft', async () => {
  const { client, tokens } = service;
  const [anon, edi] = [await follower(), await follower(tokens.edi)];
  const waiting = [timed(anon, 50), timed(edi, 50)] as const;
  await sleep(1_000);
  const { id: draft } = await event(client, tokens.edi, { title: 'Draft', status: 'draft' });
  const first = await waiting[1];
  expect(first.changes).toEqual([`event ${draft} Draft`]);
  const { id } = await event(client, tokens.edi, { title: 'Party' });
  const last = await waiting[0];
  expect(last.changes).toEqual([`event ${id} Party`]);
  expect(last.headers['cache-control']).toBe('private, no-store');
  for (const { seconds } of [first, last]) {
    expect(seconds).toBeGreaterThan(0.9);
    expect(seconds).toBeLessThan(40);
  }
});

test('CHG-19: without a change the answer comes after the wait, with the token of the request', async () => {
  const copy = await follower();
  const { since } = copy;
  const { seconds, changes, headers } = await timed(copy, 2);
  expect(seconds).toBeGreaterThan(1.9);
  expect([changes, copy.since, headers['retry-after']]).toEqual([[], since, undefined]);
});

test('CHG-19: changes that are there already are answered at once', async () => {
  const copy = await follower();
  const { id } = await event(service.client, service.tokens.edi, { title: 'There' });
  const { seconds, changes } = await timed(copy, 50);
  expect(changes).toEqual([`event ${id} There`]);
  expect(seconds).toBeLessThan(40);
});
