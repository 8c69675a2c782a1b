import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp, type Extension } from '../../src/create-app.js';
import type { Role } from '../../src/kernel/capability.js';
import { UsersService } from '../../src/platform/auth/users.service.js';
import { Clock } from '../../src/config/clock.js';
import { Client } from './client.js';
import { contentsOf, createMigratedDatabase } from './database.js';
import { documentOf } from './document.js';
import { PATIENT } from './patience.js';
import { ServiceMemory } from './service-memory.js';

/** The current time in all tests that do not set another one (contract section 15). */
export const NOW = '2026-11-20T08:39:00Z';

/** The callers of the conformance cases, without `anon`, which has no token. */
const CALLERS = {
  sub: 'subscriber',
  con: 'contributor',
  aut: 'author',
  edi: 'editor',
  adm: 'administrator',
} as const satisfies Record<string, Role>;
export type CallerName = keyof typeof CALLERS;
const CALLER_NAMES = Object.keys(CALLERS);

/** A running service with its own database. */
export interface TestApp {
  readonly app: NestExpressApplication;
  readonly client: Client;
  /** The value of DATABASE_URL for other processes. */
  readonly databaseUrl: string;
  /** One token per role. */
  readonly tokens: Record<CallerName, string>;
  readonly userIds: Record<CallerName, number>;
  /** Creates a further user with a token. */
  newUser(role: Role): Promise<{ id: number; token: string }>;
  setNow(iso: string): void;
  close(): Promise<void>;
}

/** Closed services with default settings, which later tests of the same file reuse. */
const pool: Pooled[] = [];

interface Pooled {
  readonly service: TestApp;
  /** Resets the database and the memory of the service. Returns false if that is impossible. */
  renew(): Promise<boolean>;
  end(): Promise<void>;
}

/**
 * Returns a service as if just started. Call `close` when done. Without settings it may be a service that an earlier
 * test of the file closed, so tests that stop or break the service use `startOwnApp`.
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

/** Returns whether all client connections are closed, as they should be after a test. */
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

/** Ends the pooled services. Call at the end of a test file. */
export async function closePooled(): Promise<void> {
  for (const pooled of pool.splice(0)) await pooled.end();
}

/** Starts a service for one test alone, with the given settings and modules. */
export async function startOwnApp(
  settings: Record<string, string> = {},
  extension: Extension = {},
): Promise<TestApp & { renew(): void }> {
  const database = await createMigratedDatabase();
  const environment = { LOG_LEVEL: 'silent', DATABASE_URL: database.url, ...PATIENT, ...settings };
  const app = await withEnvironment(environment, () => createApp(extension));
  let now = Date.parse(NOW);
  app.get(Clock).milliseconds = () => now;
  const close = async () => {
    await app.close();
    await database.drop();
  };
  await app.listen(0, '127.0.0.1').catch(async (error: unknown) => {
    await close();
    throw error;
  });
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
    client: new Client(
      port,
      `${settings.BASE_PATH ?? ''}/calendar/events/v1`,
      extension.modules === undefined ? { document: () => documentOf(app) } : { isExtended: true },
    ),
    tokens: Object.fromEntries(made.map(([name, { token }]) => [name, token])) as Record<CallerName, string>,
    userIds: Object.fromEntries(made.map(([name, { id }]) => [name, id])) as Record<CallerName, number>,
    newUser,
    setNow: (iso) => (now = Date.parse(iso)),
    renew: () => {
      now = Date.parse(NOW);
      count = CALLER_NAMES.length;
    },
    close,
  };
}

/** Starts another instance with the database and the clock of a service. */
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

/** Sets environment variables only during `work`, because settings are read while the application is built. */
export async function withEnvironment<Result>(
  settings: Record<string, string>,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = { ...process.env };
  Object.assign(process.env, settings);
  try {
    return await work();
  } finally {
    process.env = before;
  }
}
