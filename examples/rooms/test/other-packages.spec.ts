import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Get, Module, Post } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { WsAdapter } from '@nestjs/platform-ws';
import { SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { createApp, Database, NAMESPACE } from 'kalends';
import { Column, Entity, PrimaryGeneratedColumn, type Repository } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ROOMS } from '../src/extension.js';

// What docs/extending.md says of other packages.

@Entity('reports')
class Report {
  @PrimaryGeneratedColumn() id: number;
  @Column('varchar', { length: 50 }) name: string;
}

@Throttle({ default: { limit: 1_000, ttl: 60_000 } })
@Controller(`${NAMESPACE}/reports`)
class ReportsController {
  constructor(@InjectRepository(Report, 'reports') private readonly reports: Repository<Report>) {}

  @Post() add(): Promise<Report> {
    return this.reports.save({ name: 'Sales' });
  }

  @Get() list(): Promise<Report[]> {
    return this.reports.find();
  }
}

@Throttle({ default: { limit: 3, ttl: 60_000 } })
@Controller(`${NAMESPACE}/limited`)
class LimitedController {
  @Get() list(): object {
    return { isAllowed: true };
  }
}

// The guard of this package knows HTTP only.
@SkipThrottle()
@WebSocketGateway({ path: '/live' })
class LiveGateway {
  @SubscribeMessage('hello') hello(): object {
    return { event: 'hello', data: 'there' };
  }
}

// The drivers that the service brings along. Version 12 needs a compiler from Node.js 22 on.
const isOld = Number(process.versions.node.split('.')[0]) < 22;
const { default: driver } = (await import(isOld ? 'better-sqlite3' : 'better-sqlite3-13')) as { default: unknown };

@Module({
  imports: [
    TypeOrmModule.forRoot({
      name: 'reports',
      type: 'better-sqlite3',
      driver,
      database: ':memory:',
      entities: [Report],
      synchronize: true,
    }),
    TypeOrmModule.forFeature([Report], 'reports'),
    ThrottlerModule.forRoot([{ ttl: 60_000, limit: 5 }]),
  ],
  controllers: [ReportsController, LimitedController],
  providers: [LiveGateway, { provide: APP_GUARD, useClass: ThrottlerGuard }],
})
class OtherPackages {}

const folder = mkdtempSync(join(tmpdir(), 'other-packages-'));
const before = { ...process.env };
let app: Awaited<ReturnType<typeof createApp>>;
let host: string;

beforeAll(async () => {
  process.env.DATABASE_URL ??= `sqlite:${join(folder, 'rooms.db')}`;
  process.env.LOG_LEVEL = 'error';
  app = await createApp({ ...ROOMS, modules: [...(ROOMS.modules ?? []), OtherPackages] });
  app.useWebSocketAdapter(new WsAdapter(app));
  await app.listen(0, '127.0.0.1');
  host = `127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
});
afterAll(async () => {
  await app.close();
  process.env = before;
  rmSync(folder, { recursive: true });
});

const send = async (method: string, path: string) => {
  const response = await fetch(`http://${host}/${NAMESPACE}/${path}`, { method });
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
};

it('a second data source of TypeORM has its own repositories, which leave no change in the change record', async () => {
  const version = () => app.get(Database).query<{ version: number }>('SELECT version FROM data_version');
  const before = await version();
  expect(await send('POST', 'reports')).toMatchObject({ status: 201, body: { id: 1, name: 'Sales' } });
  expect((await send('GET', 'reports')).body).toEqual([{ id: 1, name: 'Sales' }]);
  expect(await version()).toEqual(before);
});

it('@nestjs/throttler limits a route of a module: 429 with Retry-After', async () => {
  const replies = [];
  for (let n = 0; n < 4; n += 1) replies.push(await send('GET', 'limited'));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(replies[3]!.body).toMatchObject({ code: 'rest_too_many_requests', data: { status: 429 } });
  expect(Number(replies[3]!.headers.get('retry-after'))).toBeGreaterThan(0);
});

it('@nestjs/throttler limits the routes of the service, too', async () => {
  const statuses = [];
  for (let n = 0; n < 6; n += 1) statuses.push((await send('GET', 'events')).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

it('a WebSocket gateway answers at the port of the service', async () => {
  const socket = new WebSocket(`ws://${host}/live`);
  const answer = await new Promise<string>((done, failed) => {
    socket.on('open', () => socket.send(JSON.stringify({ event: 'hello' })));
    socket.on('message', (data) => done((data as Buffer).toString()));
    socket.on('error', failed);
  });
  expect(JSON.parse(answer)).toEqual({ event: 'hello', data: 'there' });
  socket.close();
});
