import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../src/create-app.js';
import type { Role } from '../../src/kernel/capability.js';
import { UsersService } from '../../src/platform/auth/users.service.js';
import { Clock } from '../../src/config/clock.js';
import { Client } from './client.js';
import { contentsOf, createMigratedDatabase } from './database.js';
import { documentOf } from './document.js';
import { PATIENT } from './patience.js';
import { ServiceMemory } from './service-memory.js';

/** The moment at which all tests take place, unless they say otherwise (contract section 15). */
export const NOW = '2026-11-20T08:39:00Z';

/** The callers of the conformance cases: `anon` is no token. */
const CALLERS = {
  sub: 'subscriber',
  con: 'contributor',
  aut: 'author',
  edi: 'editor',
  adm: 'administrator',
} as const satisfies Record<string, Role>;
export type CallerName = keyof typeof CALLERS;
const CALLER_NAMES = Object.keys(CALLERS);

/** A running service on a database of its own. */
export interface TestApp {
  readonly app: NestExpressApplication;
  readonly client: Client;
  /** As DATABASE_URL names it: for processes beside the service. */
  readonly databaseUrl: string;
  /** One token a role. */
  readonly tokens: Record<CallerName, string>;
  readonly userIds: Record<CallerName, number>;
  /** A token of a further user. */
  newUser(role: Role): Promise<{ id: number; token: string }>;
  setNow(iso: string): void;
  close(): Promise<void>;
}

/** Services without settings of their own that tests of this file have closed, for its next ones. */
const pool: Pooled[] = [];

interface Pooled {
  readonly service: TestApp;
  /** As new: its database and what it holds in memory. False where it is not. */
  renew(): Promise<boolean>;
  end(): Promise<void>;
}

/**
 * A service as if just started; call `close` when done. Without settings it may be one that an earlier test of the file
 * has closed: `startOwnApp` is for tests that stop or break it.
 */
export async function startApp(settings: Record<string, string> = {}): Promise<TestApp> {
  if (Object.keys(settings).length > 0) return startOwnApp(settings);
  for (let next = pool.pop(); next !== undefined; next = pool.pop()) {
    if (await next.renew()) return next.service;
    await next.end();
  }
  return startPooled();
}

async function startPooled(): Promise<TestApp> {
  const own = await startOwnApp();
  const contents = await contentsOf(own.databaseUrl);
  const memory = new ServiceMemory(own.app);
  const service = { ...own, close: () => Promise.resolve(void pool.push(pooled)) };
  const pooled: Pooled = {
    service,
    renew: async () => {
      if (!(await isQuiet(own))) return false;
      await memory.settled();
      if (!(await contents.restore())) return false;
      memory.restore();
      own.renew();
      return true;
    },
    end: async () => {
      await contents.close();
      await own.close();
    },
  };
  return service;
}

/** Whether all connections of clients are closed, as those of a test that is over should be. */
async function isQuiet({ app }: TestApp): Promise<boolean> {
  const server = app.getHttpServer();
  server.closeIdleConnections();
  const count = () =>
    new Promise<number>((counted) => server.getConnections((_error: unknown, open: number) => counted(open)));
  for (let looks = 0; looks < 20; looks += 1) {
    if ((await count()) === 0) return true;
    await sleep(10);
  }
  return false;
}

/** At the end of a file. */
export async function closePooled(): Promise<void> {
  for (const pooled of pool.splice(0)) await pooled.end();
}

/** A service that no other test gets, with the given settings. */
export async function startOwnApp(settings: Record<string, string> = {}): Promise<TestApp & { renew(): void }> {
  const database = await createMigratedDatabase();
  const environment = { LOG_LEVEL: 'silent', DATABASE_URL: database.url, ...PATIENT, ...settings };
  const app = await withEnvironment(environment, createApp);
  let now = Date.parse(NOW);
  app.get(Clock).milliseconds = () => now;
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const users = app.get(UsersService);
  let count = 0;
  const newUser = async (role: Role) => {
    const id = await users.create(`${role}${(count += 1)}`, role);
    return { id, token: await users.issueToken(id) };
  };
  const made: (readonly [string, { id: number; token: string }])[] = [];
  // One after the other, so that their ids are the same on every engine.
  for (const [name, role] of Object.entries(CALLERS)) made.push([name, await newUser(role)]);
  return {
    app,
    databaseUrl: database.url,
    client: new Client(port, `${settings.BASE_PATH ?? ''}/calendar/events/v1`, {
      document: () => documentOf(app),
    }),
    tokens: Object.fromEntries(made.map(([name, { token }]) => [name, token])) as Record<CallerName, string>,
    userIds: Object.fromEntries(made.map(([name, { id }]) => [name, id])) as Record<CallerName, number>,
    newUser,
    setNow: (iso) => (now = Date.parse(iso)),
    renew: () => {
      now = Date.parse(NOW);
      count = CALLER_NAMES.length;
    },
    close: async () => {
      await app.close();
      await database.drop();
    },
  };
}

/** Another instance on the database of a service, by the same clock. */
export async function startBeside(
  service: TestApp,
  settings: Record<string, string> = {},
): Promise<Pick<TestApp, 'app' | 'client' | 'close'>> {
  const of = { LOG_LEVEL: 'silent', DATABASE_URL: service.databaseUrl, ...PATIENT, ...settings };
  const app = await withEnvironment(of, createApp);
  app.get(Clock).milliseconds = () => service.app.get(Clock).milliseconds();
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const client = new Client(port, service.client.mount, { document: () => documentOf(app) });
  return { app, client, close: () => app.close() };
}

/** Settings are read while the application is built; the environment of the run stays as it was. */
async function withEnvironment<Result>(settings: Record<string, string>, work: () => Promise<Result>): Promise<Result> {
  const before = { ...process.env };
  Object.assign(process.env, settings);
  try {
    return await work();
  } finally {
    process.env = before;
  }
}
