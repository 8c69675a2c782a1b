import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Body, Controller, Get, Module, Param, Post, UsePipes, ValidationPipe } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { IsInt, Length, Min } from 'class-validator';
import { startApp, startOwnApp, type TestApp } from '../support/app.js';
import { contentsOf, Copy, type ToldChange } from '../support/changes.js';
import { event } from '../support/factories.js';
import { guarded } from '../support/guard.js';
import { Random } from '../support/random.js';
import { RandomWrites } from '../support/random-writes.js';

const run = promisify(execFile);
const PROGRAM = 'test/openapi/program';
const OPTIONS = {
  target: 'ES2023',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  // Does not skip the types of the document, because they are generated as a source file.
  skipLibCheck: true,
  rootDir: '.',
  outDir: 'built',
};

class RoomDto {
  @Length(1, 100) name: string;
  @IsInt() @Min(1) seats: number;
}

/** An ordinary module, without anything of the service. */
@Controller('calendar/events/v1/rooms')
@ApiTags('Rooms')
@UsePipes(new ValidationPipe())
class RoomsController {
  @Post()
  @ApiCreatedResponse({ type: RoomDto })
  create(@Body() room: RoomDto): RoomDto {
    return room;
  }

  @Get(':name')
  @ApiOkResponse({ type: RoomDto })
  read(@Param('name') name: string): RoomDto {
    return { name, seats: 12 };
  }
}

@Module({ controllers: [RoomsController] })
class RoomsModule {}

let service: TestApp;
let extended: TestApp;
let folder: string;
let compiler: string;
beforeAll(async () => {
  service = await startApp();
  extended = await startOwnApp({}, { modules: [RoomsModule] });
  // Below tools/, so that the program finds its packages.
  mkdirSync('tools/coverage', { recursive: true });
  folder = mkdtempSync(join('tools', 'coverage', 'typed-client-'));
  for (const name of ['round.ts', 'mistakes.ts', 'rooms.ts']) copyFileSync(join(PROGRAM, name), join(folder, name));
  copyFileSync('examples/mirror/mirror.ts', join(folder, 'mirror.ts'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS }));
  await generate('api', service);
  await generate('api-of-modules', extended);
  compiler = await node('tools/node_modules/typescript/bin/tsc', '--project', folder, '--pretty', 'false');
}, 120_000);
afterAll(async () => {
  await service.close();
  await extended.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes the types of a service's document to a file. */
async function generate(name: string, { client }: TestApp): Promise<void> {
  const document = join(folder, `${name}.json`);
  writeFileSync(document, (await client.get('/doc')).text);
  await node('tools/node_modules/openapi-typescript/bin/cli.js', document, '--output', join(folder, `${name}.ts`));
}

/** Returns the output of a program of a package, also when it fails. */
async function node(script: string, ...values: string[]): Promise<string> {
  try {
    return (await run(process.execPath, [resolve(script), ...values])).stdout;
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const gone = (code: string, status = 404) => ({ code, status });

test('DOC-06: a client generated from the document compiles, creates, lists, updates and deletes', async () => {
  expect(compiler.match(/^(?!.*mistakes\.ts).*: error .*$/gm)).toBeNull();
  const root = `http://127.0.0.1:${service.client.port}${service.client.mount}`;
  const { stdout } = await run(process.execPath, [join(folder, 'built/round.js'), root, service.tokens.adm]);
  expect(JSON.parse(stdout)).toEqual({
    events: {
      created: 'Jazz & Wine',
      listed: ['Jazz & Wine, 1 of 1'],
      updated: 'Jazz',
      deleted: true,
      afterwards: gone('rest-event-not-found'),
      event: {
        day: '10',
        cost: ['10', '20'],
        image: 'none',
        places: [{ venue: 'Blue Room', city: 'Lyon', geo_lat: 45.76 }],
        organizers: [{ organizer: 'Bob', email: 'bob@example.com' }],
        terms: [{ name: 'Music', taxonomy: 'tribe_events_cat' }],
        zone: '+01:00',
        town: 'Lyon',
      },
    },
    venues: {
      created: 'Grand Hall 75008 false',
      listed: ['Grand Hall'],
      updated: 'Grand Hall Paris',
      deleted: true,
      afterwards: gone('venue-is-in-trash', 410),
    },
    organizers: {
      created: 'Ann ann@example.com',
      listed: ['Ann'],
      updated: 'Ann -',
      deleted: true,
      afterwards: gone('rest-organizer-not-found'),
    },
    categories: {
      created: 'Film true',
      listed: ['Film 0'],
      updated: 'Moving',
      deleted: true,
      afterwards: gone('rest-category-not-found'),
    },
    tags: {
      created: 'open-air',
      listed: ['open-air'],
      updated: 'air',
      deleted: true,
      afterwards: gone('rest_invalid_param', 400),
    },
  });
}, 60_000);

test('DOC-06: the generated types find wrong names and wrong types', () => {
  const lines = readFileSync(join(PROGRAM, 'mistakes.ts'), 'utf8').split('\n');
  const wrong = lines.flatMap((line, index) => (line.endsWith('; // wrong') ? [index + 1] : []));
  const found = [...compiler.matchAll(/mistakes\.ts\((\d+),\d+\): error/g)].map(([, line]) => Number(line));
  expect(wrong.length).toBeGreaterThan(20);
  expect([...new Set(found)]).toEqual(wrong);
});

test('a client generated from the document of a service with an ordinary module has its routes', async () => {
  const { client, tokens } = extended;
  const args = [join(folder, 'built/rooms.js'), `http://127.0.0.1:${client.port}${client.mount}`, tokens.edi];
  const { stdout } = await run(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual([{ name: 'Blue room', seats: 12 }, 400, '12.0']);
}, 60_000);

test('CHG-26: the mirror in examples/ compiles and keeps an equal copy', async () => {
  const { client, tokens } = service;
  const path = join(folder, 'copy.json');
  const follow = async () => {
    const args = [join(folder, 'built/mirror.js'), `http://127.0.0.1:${client.port}${client.mount}`, path, '--once'];
    await run(process.execPath, args);
    const { records } = JSON.parse(readFileSync(path, 'utf8')) as { records: Record<string, unknown> };
    return Object.entries(records).sort(([a], [b]) => (a < b ? -1 : 1));
  };
  const fresh = async () => {
    const copy = new Copy(client);
    await copy.follow();
    return [...copy.records].sort(([a], [b]) => (a < b ? -1 : 1));
  };
  const { id } = await event(client, tokens.edi, { title: 'Kept', venue: { venue: 'Hall of the copy' } });
  const { id: gone } = await event(client, tokens.edi, { title: 'Gone' });
  expect(await follow()).toEqual(await fresh());
  await client.put(`/events/${id}`, { title: 'Renamed' }, tokens.edi);
  await client.delete(`/events/${gone}`, tokens.edi);
  const copied = await follow();
  expect(copied).toEqual(await fresh());
  expect(copied.map(([key]) => key)).not.toContain(`event ${gone}`);
}, 60_000);

test('CHG-26: the mirror in examples/ follows 1,000 random writes, is killed meanwhile, and keeps an equal copy', async () => {
  const { client, tokens } = service;
  const path = join(folder, 'followed.json');
  const args = [join(folder, 'built/mirror.js'), `http://127.0.0.1:${client.port}${client.mount}`, path];
  const start = () => guarded(spawn(process.execPath, args, { stdio: 'ignore' }));
  const kill = async (mirror: ReturnType<typeof start>) => {
    const ended = once(mirror, 'exit');
    mirror.kill('SIGKILL');
    await ended;
  };
  const writes = new RandomWrites(client, tokens.adm, new Random(20_261_124));
  for (const count of [400, 300, 300]) {
    const mirror = start();
    for (let done = 0; done < count; done += 1) expect(await writes.next()).toBe(true);
    await kill(mirror);
  }
  await run(process.execPath, [...args, '--once']);
  const { records } = JSON.parse(readFileSync(path, 'utf8')) as { records: Record<string, ToldChange['record']> };
  const fresh = new Copy(client);
  await fresh.follow();
  expect(fresh.records.size).toBeGreaterThan(10);
  expect(contentsOf(new Map(Object.entries(records)))).toEqual(fresh.contents());
}, 300_000);
