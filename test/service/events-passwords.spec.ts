import { type TestApp } from '../support/app.js';
import { useApp } from '../support/events.js';
import { event } from '../support/factories.js';

const MOST = 2;
const [HOME, OFFICE] = ['198.51.100.7', '203.0.113.9'];

/** Reads an event from a client address with a password, and returns the status. */
type Open = (address: string, password: string) => Promise<number>;

async function protectedEvent({ client, tokens }: TestApp, password = 'right'): Promise<{ id: number; open: Open }> {
  const { id } = await event(client, tokens.adm, { title: 'Protected' });
  await client.put(`/events/${id}`, { password }, tokens.adm);
  const open: Open = async (address, password) => {
    const headers = { 'x-forwarded-for': address };
    return (await client.send(`/events/${id}?password=${password}`, { headers })).status;
  };
  return { id: id as number, open };
}

async function times(count: number, open: () => Promise<number>): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push(await open());
  return statuses;
}

const same = (count: number, status: number) => Array.from({ length: count }, () => status);

describe('EV-GET-07: wrong passwords of an event', () => {
  const app = useApp({ FAILED_ATTEMPTS: String(MOST), TRUST_PROXY: '127.0.0.1' });

  test('EV-GET-07: block the network that sends them, but not one that has opened the event before', async () => {
    const { open } = await protectedEvent(app());
    expect(await open(HOME, 'right')).toBe(200);
    for (const address of [HOME, OFFICE]) expect(await times(MOST, () => open(address, 'wrong'))).toEqual([403, 403]);
    expect(await times(2, () => open(HOME, 'wrong'))).toEqual([403, 403]);
    expect([await open(HOME, 'right'), await open(OFFICE, 'wrong'), await open(OFFICE, 'right')]).toEqual([
      200, 429, 429,
    ]);
    // A network that has opened the event is blocked after ten times as many.
    expect(await times(10 * MOST - 4, () => open(HOME, 'wrong'))).toEqual(same(10 * MOST - 4, 403));
    expect([await open(HOME, 'wrong'), await open(HOME, 'right')]).toEqual([429, 429]);
  });

  test('EV-GET-07: are counted by /48 network for IPv6', async () => {
    const { open } = await protectedEvent(app());
    const statuses: number[] = [];
    for (const net of ['1:1', '1:2', '1:3', '2:1']) statuses.push(await open(`2001:db8:${net}::7`, 'wrong'));
    expect(statuses).toEqual([403, 403, 429, 403]);
  });

  test('EV-GET-07: are limited for all networks together, except those that have opened the event', async () => {
    const { open } = await protectedEvent(app());
    expect(await open(OFFICE, 'right')).toBe(200);
    const guesses: number[] = [];
    for (let n = 0; n < 10; n += 1) guesses.push(...(await times(MOST, () => open(`192.0.2.${n}`, 'wrong'))));
    expect(guesses).toEqual(same(10 * MOST, 403));
    expect([await open('192.0.2.99', 'wrong'), await open(HOME, 'right'), await open(OFFICE, 'right')]).toEqual([
      429, 429, 200,
    ]);
    const other = await protectedEvent(app());
    expect(await other.open(HOME, 'right')).toBe(200);
  });
});

describe('EV-GET-07: comparing passwords', () => {
  const app = useApp({ FAILED_ATTEMPTS: '10000', TRUST_PROXY: '127.0.0.1' });

  test('EV-GET-07: a right password is cached until the password of the event changes', async () => {
    const { client, tokens } = app();
    const { id, open } = await protectedEvent(app());
    expect(await times(2, () => open(HOME, 'right'))).toEqual([200, 200]);
    await client.put(`/events/${id}`, { password: 'other' }, tokens.adm);
    expect([await open(HOME, 'right'), await open(HOME, 'other')]).toEqual([403, 200]);
  });

  test('EV-GET-07: a cached password costs less than half of a comparison', async () => {
    const { open } = await protectedEvent(app());
    const cost = async (password: string) => {
      const before = process.cpuUsage();
      await times(20, () => open(HOME, password));
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await open(HOME, 'right');
    const [right, wrong] = [await cost('right'), await cost('wrong')];
    expect(right).toBeLessThan(wrong / 2);
  });

  test('EV-GET-07: too many concurrent passwords get 503 with Retry-After, and the service recovers', async () => {
    const { client } = app();
    const { id, open } = await protectedEvent(app());
    const replies = await Promise.all(
      Array.from({ length: 250 }, (_, n) => client.get(`/events/${id}?password=wrong${n}`)),
    );
    const refused = replies.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(40);
    expect(refused.every(({ headers }) => Number(headers['retry-after']) > 0)).toBe(true);
    expect(replies.filter(({ status }) => status !== 503).every(({ status }) => status === 403)).toBe(true);
    expect(await open(HOME, 'right')).toBe(200);
  });
});
