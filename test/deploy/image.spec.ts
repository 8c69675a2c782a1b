import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { DatabaseServer } from '../faults/database-server.js';
import { Image, rightsOf, stop } from './image.js';

const TOKEN = 'image-administrator-token-0123456789';
const EVENT = { title: 'T', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };

let image: Image;
beforeAll(() => {
  image = Image.make();
}, 120_000);
afterAll(() => image.remove());

/** Returns the statuses of a write, of a read and of the documentation page. */
async function tried(port: number): Promise<number[]> {
  const root = `http://127.0.0.1:${port}/calendar/events/v1`;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  const written = await fetch(`${root}/events`, { method: 'POST', headers, body: JSON.stringify(EVENT) });
  const { id } = (await written.json()) as { id: number };
  const read = await fetch(`${root}/events/${id}`);
  const page = await fetch(`${root}/doc`, { headers: { accept: 'text/html' } });
  return [written.status, read.status, page.status];
}

/** The container of docker-compose.yml runs as nobody, without capabilities. */
function expectNoRights(child: ChildProcess): void {
  expect(rightsOf(child)).toEqual({ user: '65534', capabilities: '0000000000000000', noNewPrivileges: '1' });
}

test('the image serves without privileges from a read-only file system, on MariaDB', async () => {
  const server = await DatabaseServer.start('mariadb');
  await server.run('CREATE DATABASE kalends');
  const { port, child } = await image.start({ DATABASE_URL: server.url('kalends'), KALENDS_ADMIN_TOKEN: TOKEN });
  expectNoRights(child);
  expect(await tried(port)).toEqual([201, 200, 200]);
  expect(await stop(child)).toBe(0);
  await server.stop();
  rmSync(server.folder, { recursive: true, force: true });
}, 120_000);

test('the image with the embedded database writes only to its data volume, and data survive a restart', async () => {
  const first = await image.start({ KALENDS_ADMIN_TOKEN: TOKEN });
  expectNoRights(first.child);
  expect(await tried(first.port)).toEqual([201, 200, 200]);
  expect(await stop(first.child)).toBe(0);
  const second = await image.start({});
  const answer = await fetch(`http://127.0.0.1:${second.port}/calendar/events/v1/events/1`);
  expect(answer.status).toBe(200);
  expect(await stop(second.child)).toBe(0);
}, 120_000);
