import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../src/create-app.js';
import type { Role } from '../../src/kernel/capability.js';
import { UsersService } from '../../src/platform/auth/users.service.js';
import { Clock } from '../../src/config/clock.js';
import { Client } from './client.js';
import { createTestDatabase } from './database.js';
import { documentOf } from './document.js';
import { PATIENT } from './patience.js';

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

/** Starts the service with the given settings; call `close` when done. */
export async function startApp(settings: Record<string, string> = {}): Promise<TestApp> {
  const database = await createTestDatabase();
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
