import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrations, migrationsBelow } from './list.js';

const folder = mkdtempSync(join(tmpdir(), 'kalends-migrations-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A compiled migration in the folder of a room. */
function add(path: string, name: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `export class ${name} { async up() {} async down() {} }`);
}

test('migrations of all rooms are found, and sorted by their time', async () => {
  add('rooms/migrations/1795500000000-create-rooms.js', 'CreateRooms1795500000000');
  add('database/migrations/1795400000000-older.js', 'Older1795400000000');
  add('database/migrations/1795600000000-newer.js', 'Newer1795600000000');
  add('database/migrations/list.js', 'List');
  add('rooms/1795700000000-elsewhere.js', 'Elsewhere1795700000000');
  const names = (await migrationsBelow(pathToFileURL(`${folder}/`))).map(({ name }) => name);
  expect(names).toEqual(['Older1795400000000', 'CreateRooms1795500000000', 'Newer1795600000000']);
});

test('those of the service are among them, each with its time in its name', () => {
  const times = migrations.map(({ name }) => Number(name.slice(-13)));
  expect(times.length).toBeGreaterThan(10);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
