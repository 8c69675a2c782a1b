import {
  type CallHandler,
  ClassSerializerInterceptor,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  type NestInterceptor,
  Post,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { Exclude } from 'class-transformer';
import { map, type Observable } from 'rxjs';
import { Database } from '../../src/database/database.js';
import { Int } from '../../src/platform/http/fields/value-fields.js';
import { Context } from '../../src/platform/http/param-decorators.js';
import { type Reply, replyOf } from '../../src/platform/http/reply.js';
import type { RequestContext } from '../../src/platform/http/request-context.js';
import { writeReply } from '../../src/platform/http/responses/record-reply.js';
import { Creates, ResourceController } from '../../src/platform/http/routing/route-decorators.js';
import { startOwnApp, type TestApp } from '../support/app.js';

const ENVELOPE = { name: 'x' };

/** As the NestJS manual has it: every response in an envelope. */
@Injectable()
class Envelope implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ data, by: ENVELOPE })));
  }
}

class Member {
  name = 'Ann';
  @Exclude() secret = 'hush';
}

@Controller('calendar/events/v1/members')
class MembersController {
  @Get()
  read(): Member {
    return new Member();
  }

  @Get('reply')
  reply(): Reply {
    return replyOf({ body: { a: 1 }, headers: { 'X-Member': '1' } });
  }

  @Post('text')
  text(): string {
    return 'text';
  }
}

class DoorDto {
  @Int('how wide it is, in centimetres', { min: 1 }) width?: number;
}

@ResourceController('doors', 'Doors')
class DoorsController {
  constructor(private readonly database: Database) {}

  @Creates({ id: 'createDoor', summary: 'Create a door', accepts: DoorDto })
  create(@Context() context: RequestContext) {
    return writeReply(this.database, context, () => Promise.resolve(replyOf({ body: { id: 1 }, status: 201 })));
  }
}

@Module({
  controllers: [MembersController, DoorsController],
  providers: [
    { provide: APP_INTERCEPTOR, useClass: Envelope },
    { provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor },
  ],
})
class MembersModule {}

describe('interceptors of a module for all routes', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startOwnApp({}, { modules: [MembersModule] })));
  afterAll(() => service.close());

  const at = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${service.client.port}/calendar/events/v1${path}`, init);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const json = { 'content-type': 'application/json' };
  const inEnvelope = (data: unknown) => ({ data, by: ENVELOPE });
  const EVENT = { title: 'T', start_date: '2027-03-10', end_date: '2027-03-10' };

  it('see what handlers of modules return', async () => {
    expect((await at('/members')).body).toEqual(inEnvelope({ name: 'Ann' }));
    expect((await at('/members/text', { method: 'POST' })).body).toEqual(inEnvelope('text'));
    const reply = await at('/members/reply');
    expect([reply.headers.get('x-member'), reply.body]).toEqual(['1', inEnvelope({ a: 1 })]);
  });

  it('see the bodies of handlers of the service, whose status, headers and ETag stay', async () => {
    const authorization = `Bearer ${service.tokens.edi}`;
    const post = { method: 'POST', body: JSON.stringify(EVENT), headers: { ...json, authorization } };
    const made = await at('/events', post);
    const { id } = (made.body as { data: { id: number } }).data;
    expect([made.status, made.headers.get('location')]).toEqual([201, expect.stringMatching(`/events/${id}$`)]);
    const read = await at(`/events/${id}?_fields=id,title`);
    expect(read.body).toEqual(inEnvelope({ id, title: 'T' }));
    const tag = read.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"1-/);
    const url = `http://127.0.0.1:${service.client.port}/calendar/events/v1`;
    const again = await fetch(`${url}/events/${id}?_fields=id,title`, { headers: { 'if-none-match': tag } });
    expect(again.status).toBe(304);
    const list = await at('/events?_fields=id');
    const { events, total } = (list.body as { data: { events: object[]; total: number } }).data;
    expect([events, total]).toEqual([[{ id }], 1]);
    expect(list.headers.get('x-tec-total')).toBe('1');
    const page = await fetch(`${url}/doc`, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  });

  it('see an error as an error, and replays as first responses', async () => {
    expect((await at('/events/999999')).body).toMatchObject({ code: 'rest-event-not-found' });
    const authorization = `Bearer ${service.tokens.edi}`;
    const headers = { ...json, authorization, 'idempotency-key': 'door' };
    for (const replayed of [null, 'true']) {
      const door = await at('/doors', { method: 'POST', body: '{"width":90}', headers });
      expect([door.status, door.body]).toEqual([201, inEnvelope({ id: 1 })]);
      expect(door.headers.get('idempotent-replayed')).toBe(replayed);
    }
  });
});

@ResourceController('gates', 'Gates')
class GatesController {
  made = 0;

  // @ts-expect-error -- a route that writes must return what writeReply returns
  @Creates({ id: 'createGate', summary: 'Create a gate', accepts: DoorDto })
  create(): Promise<Reply> {
    this.made += 1;
    return Promise.resolve(replyOf({ body: { id: this.made }, status: 201 }));
  }
}

@Module({ controllers: [GatesController] })
class GatesModule {}

it('a route of ours that writes without writeReply does not compile; a repetition gets its response nevertheless', async () => {
  const service = await startOwnApp({}, { modules: [GatesModule] });
  const url = `http://127.0.0.1:${service.client.port}/calendar/events/v1/gates`;
  const create = async (key: string) => {
    const headers = { authorization: `Bearer ${service.tokens.edi}`, 'idempotency-key': key, ...json };
    const reply = await fetch(url, { method: 'POST', body: '{}', headers });
    return [reply.status, await reply.json(), reply.headers.get('idempotent-replayed')];
  };
  expect(await create('gate')).toEqual([201, { id: 1 }, null]);
  expect(await create('gate')).toEqual([201, { id: 1 }, 'true']);
  expect(await create('another')).toEqual([201, { id: 2 }, null]);
  await service.close();
});

const json = { 'content-type': 'application/json' };
