import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startApp, type TestApp } from '../support/app.js';

const run = promisify(execFile);
const PROGRAM = 'test/typed-client/program';
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

let service: TestApp;
let folder: string;
let compiler: string;
beforeAll(async () => {
  service = await startApp();
  // Inside the project, so that the program finds its packages.
  mkdirSync('coverage', { recursive: true });
  folder = mkdtempSync(join('coverage', 'typed-client-'));
  for (const name of ['round.ts', 'mistakes.ts']) copyFileSync(join(PROGRAM, name), join(folder, name));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS }));
  writeFileSync(join(folder, 'api.json'), (await service.client.get('/doc')).text);
  await node('openapi-typescript/bin/cli.js', join(folder, 'api.json'), '--output', join(folder, 'api.ts'));
  compiler = await node('typescript/bin/tsc', '--project', folder, '--pretty', 'false');
}, 120_000);
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the output of a program of a package, also when it fails. */
async function node(script: string, ...values: string[]): Promise<string> {
  try {
    return (await run(process.execPath, [resolve('node_modules', script), ...values])).stdout;
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
