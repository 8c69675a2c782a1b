import { randomUUID } from 'node:crypto';
import { until } from '../faults/processes.js';
import { runCli, startServer } from '../support/process.js';
import { Group } from './group.js';

const TOKEN = 'group-administrator-token-0123456789';

let group: Group;
beforeAll(async () => {
  group = await Group.prepare();
  group.start();
}, 300_000);
afterAll(() => group.stop(), 120_000);

/** Starts an instance that connects to the group through the router. */
async function startInstance() {
  expect(await runCli(['migrate'], group.settings('kalends_migrate'))).toMatchObject({ code: 0 });
  const server = await startServer({ ...group.settings('kalends'), KALENDS_ADMIN_TOKEN: TOKEN });
  const root = `http://127.0.0.1:${server.port}/calendar/events/v1/events`;
  /** Retries the same event with one idempotency key until it is acknowledged. */
  const write = async (title: string) => {
    const key = randomUUID();
    const send = () =>
      fetch(root, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}`, 'idempotency-key': key },
        body: JSON.stringify({ title, start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' }),
      });
    await until(`${title} is written`, async () => (await send()).status === 201);
  };
  const titles = async () => {
    const { events } = (await (await fetch(`${root}?start_date=2027-03-10`)).json()) as { events: { title: string }[] };
    return events.map(({ title }) => title).sort();
  };
  return { write, titles, stop: server.stop };
}

test('three servers form a group; an instance works through the router, also after the primary dies', async () => {
  const first = await group.online(3);
  const instance = await startInstance();
  await instance.write('before');
  await group.members[first]?.end('SIGKILL');
  await instance.write('after');
  expect(await instance.titles()).toEqual(['after', 'before']);
  const second = await group.online(2);
  expect(second).not.toBe(first);
  await instance.stop();
  expect(group.told.match(/starts the group/g)).toHaveLength(1);
}, 300_000);

test('a restarted member rejoins the group', async () => {
  group.members.find(({ isRunning }) => !isRunning)?.start();
  await group.online(3);
}, 300_000);

test('after a full stop the group starts from the member with every transaction, once all members run', async () => {
  const primary = await group.online(3);
  const instance = await startInstance();
  // The keeper must not choose the member that it asks first, because that member misses the next write.
  const asked = primary === 0 ? 1 : 0;
  await group.members[asked]?.end('SIGKILL');
  await instance.write('last');
  await instance.stop();
  for (const member of group.members) await member.end('SIGKILL');

  const missing = group.members[primary];
  for (const member of group.members) if (member !== missing) member.start();
  const said = group.told.length;
  await until('the keeper waits', () =>
    Promise.resolve(group.told.slice(said).includes(`waiting for 127.0.0.1:${group.ports[primary]}`)),
  );
  expect(group.told.match(/starts the group/g)).toHaveLength(1);

  missing?.start();
  await group.online(3);
  const again = await startInstance();
  expect(await again.titles()).toEqual(['after', 'before', 'last']);
  await again.write('and on');
  await again.stop();
}, 300_000);

test('members that lost their data copy it from the remaining member', async () => {
  const left = await group.online(3);
  await group.purge(left);
  const lost = [0, 1, 2].filter((index) => index !== left);
  await Promise.all(lost.map((index) => group.empty(index)));
  const restarts = setInterval(() => group.restart(), 1_000);
  await group.online(3).finally(() => clearInterval(restarts));
  // Now a member that had lost its data becomes the primary.
  await group.members[left]?.end('SIGKILL');
  await group.online(2);
  const instance = await startInstance();
  expect(await instance.titles()).toEqual(['after', 'and on', 'before', 'last']);
  await instance.stop();
}, 300_000);
