import {
  BadGatewayException,
  Body,
  ConflictException,
  Controller,
  HttpCode,
  Module,
  Param,
  Post,
  Put,
  Req,
  Res,
} from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import type { Request, Response } from 'express';
import { DataSource, type Repository } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { replyOf } from '../../src/platform/http/reply.js';
import { startOwnApp, type TestApp } from '../support/app.js';
import { type Latch, latch } from '../support/latch.js';
import { forgetRooms, Room, withRooms } from '../support/rooms.js';

/** Lets `slow` go on, once it is in its transaction. */
let gates: { begun: Latch; ended: Latch };

@Controller('calendar/events/v1/rooms')
class RoomsController {
  constructor(
    private readonly database: Database,
    @InjectRepository(Room) private readonly rooms: Repository<Room>,
  ) {}

  @Post('save')
  save(@Body() { name }: Room, @Res({ passthrough: true }) response: Response): Promise<Room> {
    response.setHeader('Location', `/rooms/${name}`);
    return this.database.inTransaction((tx) => tx.manager.save(Room, { name }));
  }

  @Put('named/:name')
  @HttpCode(204)
  async put(@Param('name') name: string): Promise<void> {
    await this.insert(name);
  }

  @Post('text')
  async text(@Body() { name }: Room): Promise<string> {
    await this.insert(name);
    return `made ${name}`;
  }

  @Post('reply')
  async reply(@Body() { name }: Room): Promise<object> {
    await this.insert(name);
    return replyOf({ body: { name }, status: 202, headers: { 'X-Room': name } });
  }

  @Post('two')
  async two(@Body() { name }: Room): Promise<object> {
    await Promise.all([this.insert(`${name} a`), this.insert(`${name} b`)]);
    await this.insert(name);
    return { name };
  }

  @Post('repository')
  repository(): Promise<Room> {
    return this.rooms.save({ name: newName() });
  }

  @Post('stream')
  async stream(@Req() request: Request): Promise<object> {
    for await (const _ of request);
    await this.insert(newName());
    return {};
  }

  @Post('rejected')
  rejected(@Body() { name }: Room): Promise<void> {
    return this.database.inTransaction(async (tx) => {
      await tx.manager.insert(Room, { name });
      throw new ConflictException('Not today');
    });
  }

  @Post('second-try')
  async secondTry(@Body() { name }: Room): Promise<object> {
    await this.rejected({ name } as Room).catch(() => undefined);
    await this.insert(name);
    return { name };
  }

  @Post('late-error')
  async lateError(@Body() { name }: Room): Promise<void> {
    await this.insert(name);
    throw new BadGatewayException();
  }

  @Post('by-hand')
  async byHand(@Body() { name }: Room, @Res() response: Response): Promise<void> {
    await this.insert(name);
    response.status(201).send('done');
  }

  @Post('slow')
  slow(@Body() { name }: Room): Promise<Room> {
    return this.database.inTransaction(async (tx) => {
      gates.begun.open();
      await gates.ended.opened;
      return tx.manager.save(Room, { name });
    });
  }

  private async insert(name: string): Promise<void> {
    await this.database.inTransaction((tx) => tx.manager.insert(Room, { name }));
  }
}

@Module({ imports: [TypeOrmModule.forFeature([Room])], controllers: [RoomsController] })
class WritesModule {}

type Sent = RequestInit & { readonly isAnonymous?: boolean };

let names = 0;
const newName = () => `Room-${(names += 1)}`;

describe('contract 5.5: an Idempotency-Key on an ordinary route', () => {
  let service: TestApp;
  beforeAll(async () => {
    const { modules, migrations } = withRooms();
    service = await startOwnApp({}, { modules: [...modules, WritesModule], migrations });
  });
  afterAll(async () => {
    const source = service.app.get(DataSource);
    await service.close();
    forgetRooms(source);
  });

  let keys = 0;
  const newKey = () => `key-${(keys += 1)}`;
  // Not the client of the tests, which compares with the document: that of a module names its successes only.
  const send = async (path: string, key: string, body?: unknown, { isAnonymous = false, ...sent }: Sent = {}) => {
    const response = await fetch(`http://127.0.0.1:${service.client.port}/calendar/events/v1/rooms/${path}`, {
      method: 'POST',
      body: body === undefined ? undefined : JSON.stringify(body),
      ...sent,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': key,
        ...(isAnonymous ? {} : { authorization: `Bearer ${service.tokens.adm}` }),
        ...sent.headers,
      },
    });
    const text = await response.text();
    const error = (response.status < 400 ? {} : JSON.parse(text)) as { code?: string; message?: string };
    return { status: response.status, headers: response.headers, text, error };
  };
  const count = async () =>
    Number((await service.app.get(Database).query<{ n: number }>('SELECT count(*) AS n FROM rooms'))[0]?.n);
  const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true';

  it.each([
    ['save', {}, 201],
    ['text', {}, 201],
    ['reply', {}, 202],
    ['two', {}, 201],
    ['second-try', {}, 201],
    ['named/Blue', { method: 'PUT' }, 204],
  ])('%s: is carried out once, and its response is replayed', async (path, sent, status) => {
    const key = newKey();
    const body = 'method' in sent ? undefined : { name: newName() };
    const first = await send(path, key, body, sent);
    expect([first.status, isReplay(first)]).toEqual([status, false]);
    const before = await count();
    const second = await send(path, key, body, sent);
    expect([second.status, isReplay(second), await count()]).toEqual([status, true, before]);
    expect(second.text).toBe(first.text);
    for (const name of ['location', 'x-room', 'content-type'])
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    const other = await send(path, key, { name: newName() }, sent);
    expect([other.status, other.error.code]).toEqual([422, 'rest_idempotency_key_reused']);
  });

  it('of two at the same time one is carried out, the other gets 409, and its repetition the response', async () => {
    gates = { begun: latch(), ended: latch() };
    const [key, body] = [newKey(), { name: newName() }];
    const first = send('slow', key, body);
    await gates.begun.opened;
    const second = await send('slow', key, body).finally(() => gates.ended.open());
    expect([second.status, second.error.code, second.headers.get('retry-after')]).toEqual([
      409,
      'rest_idempotency_key_in_use',
      '1',
    ]);
    expect((await first).status).toBe(201);
    const third = await send('slow', key, body);
    expect([third.status, isReplay(third), third.text]).toEqual([201, true, (await first).text]);
  });

  it('a rejected write is carried out again', async () => {
    const [key, body] = [newKey(), { name: newName() }];
    for (let n = 0; n < 2; n += 1) {
      const { status, error } = await send('rejected', key, body);
      expect([status, error.message]).toEqual([409, 'Not today']);
    }
  });

  it.each([
    ['by-hand', 201],
    ['late-error', 502],
  ])('%s: a write whose response cannot be stored is not carried out again: 409', async (path, status) => {
    const [key, body] = [newKey(), { name: newName() }];
    expect((await send(path, key, body)).status).toBe(status);
    const before = await count();
    const second = await send(path, key, body);
    expect([second.status, second.error.code, await count()]).toEqual([409, 'rest_conflict', before]);
    expect(second.error.message).toMatch(/was carried out/);
  });

  it('is ignored by a handler without Database.inTransaction, on a body that it reads, and of an anonymous caller', async () => {
    const key = newKey();
    const before = await count();
    for (let n = 0; n < 2; n += 1) {
      expect((await send('repository', key)).status).toBe(201);
      const image = { body: 'x', headers: { 'content-type': 'image/png' } };
      expect((await send('stream', `${key}-image`, undefined, image)).status).toBe(201);
    }
    const body = { name: newName() };
    expect((await send('save', key, body, { isAnonymous: true })).status).toBe(201);
    expect(await count()).toBe(before + 5);
  });
});
