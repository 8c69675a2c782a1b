import { createReadStream } from 'node:fs';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  All,
  BadRequestException,
  Body,
  type CallHandler,
  type CanActivate,
  Catch,
  ConflictException,
  Controller,
  Delete,
  type ExceptionFilter,
  type ArgumentsHost,
  type ExecutionContext,
  Get,
  Header,
  Headers,
  HttpCode,
  HttpException,
  Injectable,
  InternalServerErrorException,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  type NestModule,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Put,
  Version,
  Query,
  type RawBodyRequest,
  Redirect,
  Req,
  RequestMethod,
  Res,
  Sse,
  ServiceUnavailableException,
  StreamableFile,
  UnauthorizedException,
  UploadedFile,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { FileInterceptor } from '@nestjs/platform-express';
import { InjectDataSource } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Min, MinLength, ValidateNested } from 'class-validator';
import { json, type Request, type Response } from 'express';
import type { DataSource } from 'typeorm';
import { interval, map, type Observable, take } from 'rxjs';
import { ApiProperty } from '@nestjs/swagger';
import { Text } from '../../src/platform/http/fields/text-fields.js';
import { Caller, Requires } from '../../src/platform/http/param-decorators.js';
import { replyOf } from '../../src/platform/http/reply.js';
import { apiError } from '../../src/errors/api-error.js';
import { registerErrors } from '../../src/errors/error-catalogue.js';
import { startOwnApp, type TestApp } from '../support/app.js';

declare module '../../src/errors/error-catalogue.js' {
  interface ModuleErrors {
    room_full: true;
  }
}
registerErrors({ room_full: { status: 409, message: 'The room {name} is full.' } });

const ROOMS = 'calendar/events/v1/rooms';

class Seat {
  @IsString() row: string;
}
class RoomDto {
  @ApiProperty({ description: 'the name of the room' }) @IsString() @MinLength(2) name: string;
  @IsInt() @Min(1) @Type(() => Number) seats: number;
  @IsOptional() @ValidateNested() @Type(() => Seat) first?: Seat;
  @Text('the colour', { max: 20, example: 'blue' }) colour?: string;
}

@Injectable()
class Doorkeeper implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<Request>().headers['x-key'] === 'open';
  }
}

@Injectable()
class Wrapping implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

class Sold extends Error {}

@Catch(Sold)
class SoldFilter implements ExceptionFilter {
  catch(_: Sold, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(410).json({ sold: true });
  }
}

class Taken extends Error {}

@Catch(Taken)
class TakenFilter implements ExceptionFilter {
  catch(_: Taken, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(423).json({ taken: true });
  }
}

@Controller(ROOMS)
class RoomsController {
  @Get()
  list(@Query('sort') sort: string, @Query() query: object): object {
    return { sort, query };
  }

  @Get('mine')
  mine(@Caller() caller: Caller): object {
    return { userId: caller.userId };
  }

  @Get('text')
  text(): string {
    return 'a <b>room</b>';
  }

  @Get('nothing')
  nothing(): void {
    // An empty response.
  }

  @Get('file')
  @Header('Content-Type', 'text/csv')
  @Header('Cache-Control', 'public, max-age=60')
  file(): StreamableFile {
    return new StreamableFile(Readable.from(['a,b\n', '1,2\n']));
  }

  @Get('missing-file')
  @Header('Content-Encoding', 'gzip')
  missingFile(): StreamableFile {
    return new StreamableFile(createReadStream('/nothing/hush'), { disposition: 'attachment' });
  }

  @Get('own-file')
  ownFile(): StreamableFile {
    return new StreamableFile(createReadStream('/nothing')).setErrorHandler((_, response) => {
      response.statusCode = 418;
      response.send('own');
    });
  }

  @Get('torn-file')
  tornFile(): StreamableFile {
    const stream = new Readable({ read: () => undefined });
    stream.push('a,b');
    setTimeout(() => stream.destroy(new Error('torn')), 50);
    return new StreamableFile(stream);
  }

  @Get('moved')
  @Redirect('https://example.com/rooms', 301)
  moved(): void {
    // The decorator names the target.
  }

  @Get('reply')
  reply(): object {
    return replyOf({ body: { a: 1 }, headers: { 'X-Rooms': '2' } });
  }

  @Get('looks-like-a-reply')
  plain(): object {
    return { body: { a: 1 }, status: 418, redirect: 'https://example.com' };
  }

  @Get('by-hand')
  byHand(@Res() response: Response): void {
    response.status(202).set('X-Rooms', 'by hand').send('done');
  }

  @Sse('events')
  events(): Observable<{ data: object }> {
    return interval(10).pipe(
      take(2),
      map((n) => ({ data: { n } })),
    );
  }

  @Get('guarded')
  @UseGuards(Doorkeeper)
  guarded(): object {
    return { open: true };
  }

  @Post('managed')
  @Requires('edit_posts')
  managed(): object {
    return { managed: true };
  }

  @Get('wrapped')
  @UseInterceptors(Wrapping)
  wrapped(): object {
    return { a: 1 };
  }

  @Get('sold')
  @UseFilters(SoldFilter)
  sold(): void {
    throw new Sold();
  }

  @Get('errors/:kind')
  fail(@Param('kind') kind: string, @Res({ passthrough: true }) response: Response): void {
    if (kind === 'unavailable') throw new ServiceUnavailableException('password=hush');
    if (kind === 'later') {
      response.setHeader('Retry-After', '120');
      throw new ServiceUnavailableException();
    }
    if (kind === 'basic') {
      response.setHeader('WWW-Authenticate', 'Basic realm="rooms"');
      throw new UnauthorizedException();
    }
    if (kind === 'missing') throw new NotFoundException('There is no room 5');
    if (kind === 'conflict') throw new ConflictException();
    if (kind === 'unauthorized') throw new UnauthorizedException('A key is needed');
    if (kind === 'own') throw new HttpException({ code: 'room_taken', message: 'Taken', until: '10:00' }, 409);
    if (kind === 'reasons') throw new BadRequestException(['The room is too small', 'Too late']);
    if (kind === 'secret') throw new InternalServerErrorException('password=hush');
    if (kind === 'taken') throw new Taken();
    if (kind === 'bigint') throw new HttpException({ message: 'a', n: 5n }, 409);
    if (kind === 'status') throw new HttpException('hush', 1000);
    if (kind === 'full') throw apiError('room_full', { params: { name: 'Blue' }, data: { seats: 12 } });
    throw new TypeError('hush');
  }

  @Post()
  @UsePipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }))
  create(@Body() room: RoomDto, @Headers('x-by') by: string): object {
    return { room, isRoom: room instanceof RoomDto, by };
  }

  @Post('list')
  @HttpCode(202)
  many(@Body() rooms: unknown, @Req() request: RawBodyRequest<Request>): object {
    return { rooms, raw: request.rawBody?.toString() };
  }

  @Post('plan')
  @UseInterceptors(FileInterceptor('plan'))
  upload(@UploadedFile() plan: { originalname: string; buffer: Buffer }, @Body() fields: object): object {
    return { name: plan.originalname, size: plan.buffer.length, fields };
  }

  @Post('unread')
  unread(): object {
    return { ok: true };
  }

  @Post('raw')
  async raw(@Req() request: Request): Promise<object> {
    let size = 0;
    for await (const chunk of request) size += (chunk as Buffer).length;
    return { size };
  }

  @Get(':id')
  read(@Param('id', ParseIntPipe) id: number): object {
    return { id };
  }

  @Put(':id')
  replace(@Param('id', ParseIntPipe) id: number, @Body() room: object): object {
    return { id, room };
  }

  @Patch(':id')
  change(@Param('id', ParseIntPipe) id: number): object {
    return { changed: id };
  }

  @Delete(':id')
  @HttpCode(204)
  remove(): void {
    // Nothing to return.
  }
}

@Controller()
class OutsideController {
  @Get('internal/versioned')
  @Version('2')
  versioned(): object {
    return { version: 2 };
  }

  @Get('rooms')
  list(@Caller() caller: Caller): object {
    return { outside: true, userId: caller.userId };
  }

  @Get('internal/rooms/:name')
  read(@Param('name') name: string): object {
    return { name };
  }

  @All('internal/all')
  all(@Req() { method }: Request): object {
    return { method };
  }

  @Get('files/*path')
  files(@Param('path') path: string[]): object {
    return { path };
  }
}

@Module({
  controllers: [RoomsController, OutsideController],
  providers: [{ provide: APP_FILTER, useClass: TakenFilter }],
})
class RoomsModule {}

describe('a module with ordinary controllers', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startOwnApp({ MAX_BODY_BYTES: '4096' }, { modules: [RoomsModule] })));
  afterAll(() => service.close());

  const json = { 'content-type': 'application/json' };
  const at = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${service.client.port}${path}`, { redirect: 'manual', ...init });
  const rooms = (path = '', init: RequestInit = {}) => at(`/${ROOMS}${path}`, init);
  const bodyOf = async (sent: Promise<globalThis.Response>) => {
    const response = await sent;
    return [response.status, await response.json()] as const;
  };

  it.each([
    ['GET', '', undefined, 200, { sort: 'name', query: { sort: 'name', tag: ['a', 'b'] } }, '?sort=name&tag=a&tag=b'],
    ['GET', '/7', undefined, 200, { id: 7 }, ''],
    ['PUT', '/7', '{"name":"Blue"}', 200, { id: 7, room: { name: 'Blue' } }, ''],
    ['PATCH', '/7', '{}', 200, { changed: 7 }, ''],
    ['POST', '/list', '[{"a":1},2]', 202, { rooms: [{ a: 1 }, 2], raw: '[{"a":1},2]' }, ''],
    ['POST', '/list', '"text"', 202, { rooms: 'text', raw: '"text"' }, ''],
  ])('serves %s %s with parameters and body', async (method, path, body, status, expected, query) => {
    const sent = { method, body, headers: body === undefined ? {} : json };
    expect(await bodyOf(rooms(path + query, sent))).toEqual([status, expected]);
  });

  it('serves them below every mount and language, and others at the root only', async () => {
    for (const mount of ['/calendar/events/v1', '/de/calendar/events/v1', '/wp-json/tribe/events/v1']) {
      expect(await bodyOf(at(`${mount}/rooms/7`))).toEqual([200, { id: 7 }]);
      expect(await bodyOf(at(`${mount}/rooms/7/`))).toEqual([200, { id: 7 }]);
      expect((await at(`${mount}/internal/rooms/blue`)).status).toBe(404);
      expect((await at(`${mount}/Rooms/7`)).status).toBe(404);
    }
    expect(await bodyOf(at('/internal/rooms/bl%C3%BCe'))).toEqual([200, { name: 'blüe' }]);
    expect(await bodyOf(at('/v2/internal/versioned'))).toEqual([200, { version: 2 }]);
    expect(await bodyOf(at('/internal/all', { method: 'DELETE' }))).toEqual([200, { method: 'DELETE' }]);
    expect(await bodyOf(at('/files/a/b.txt'))).toEqual([200, { path: ['a', 'b.txt'] }]);
    expect((await at('/internal/nothing')).status).toBe(404);
  });

  it('answers methods without a handler with 405, and OPTIONS and HEAD below the mounts', async () => {
    const wrong = await rooms('/7', { method: 'POST' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS']);
    const options = await rooms('/7', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([200, 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS']);
    expect(await options.json()).toMatchObject({ methods: ['GET', 'PUT', 'PATCH', 'DELETE'] });
    const head = await rooms('/7', { method: 'HEAD' });
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '8']);
    const outside = await at('/rooms', { method: 'POST' });
    expect([outside.status, outside.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await rooms('/7', { method: 'DELETE' })).status).toBe(204);
  });

  it('gives them what every route has: caller, credentials, CORS, request id, index', async () => {
    const { tokens, userIds } = service;
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    expect(await bodyOf(rooms('/mine', bearer(tokens.edi)))).toEqual([200, { userId: userIds.edi }]);
    expect(await bodyOf(at('/rooms', bearer(tokens.edi)))).toEqual([200, { outside: true, userId: userIds.edi }]);
    expect((await rooms('/mine', bearer('wrong'))).status).toBe(401);
    const { headers } = await rooms('/mine');
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const { body } = await service.client.get('');
    expect(body.routes['/calendar/events/v1/rooms/(?P<id>[^/]+)'].methods).toEqual(['GET', 'PUT', 'PATCH', 'DELETE']);
  });

  it('lets @Requires decide by capability', async () => {
    const managed = (token?: string) =>
      bodyOf(
        rooms('/managed', { method: 'POST', headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }),
      );
    expect(await managed()).toEqual([401, expect.objectContaining({ code: 'rest_forbidden' })]);
    expect(await managed(service.tokens.sub)).toEqual([403, expect.objectContaining({ code: 'rest_forbidden' })]);
    expect(await managed(service.tokens.con)).toEqual([201, { managed: true }]);
  });

  it('sends objects with an ETag, which a GET revalidates', async () => {
    const first = await rooms('/7');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect((await rooms('/7', { headers: { 'if-none-match': tag } })).status).toBe(304);
    expect((await rooms('/8', { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  it('sends text, nothing, streams, redirects, replies and responses by hand', async () => {
    const text = await rooms('/text');
    expect([text.headers.get('content-type'), await text.text()]).toEqual([
      'text/html; charset=utf-8',
      'a <b>room</b>',
    ]);
    const nothing = await rooms('/nothing');
    expect([nothing.status, await nothing.text()]).toEqual([200, '']);
    const file = await rooms('/file');
    expect([file.headers.get('content-type'), await file.text()]).toEqual(['text/csv; charset=utf-8', 'a,b\n1,2\n']);
    expect(file.headers.get('cache-control')).toBe('public, max-age=60');
    const moved = await rooms('/moved');
    expect([moved.status, moved.headers.get('location')]).toEqual([301, 'https://example.com/rooms']);
    const reply = await rooms('/reply');
    expect([reply.headers.get('x-rooms'), await reply.json()]).toEqual(['2', { a: 1 }]);
    expect(await bodyOf(rooms('/looks-like-a-reply'))).toEqual([
      200,
      { body: { a: 1 }, status: 418, redirect: 'https://example.com' },
    ]);
    const byHand = await rooms('/by-hand');
    expect([byHand.status, byHand.headers.get('x-rooms'), await byHand.text()]).toEqual([202, 'by hand', 'done']);
    const events = await rooms('/events');
    expect(events.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect((await events.text()).match(/data: .*/g)).toEqual(['data: {"n":0}', 'data: {"n":1}']);
  });

  it('runs guards, interceptors and filters of the module', async () => {
    expect(await bodyOf(rooms('/guarded'))).toEqual([
      403,
      { code: 'rest_forbidden', message: 'Forbidden resource', data: { status: 403 } },
    ]);
    expect(await bodyOf(rooms('/guarded', { headers: { 'x-key': 'open' } }))).toEqual([200, { open: true }]);
    expect(await bodyOf(rooms('/wrapped'))).toEqual([200, { data: { a: 1 } }]);
    expect(await bodyOf(rooms('/sold'))).toEqual([410, { sold: true }]);
    expect(await bodyOf(rooms('/errors/taken'))).toEqual([423, { taken: true }]);
  });

  it('keeps the status and the text of exceptions, but not the texts of 5xx', async () => {
    const error = (kind: string) => bodyOf(rooms(`/errors/${kind}`));
    const expected = (status: number, code: string, message: string, more = {}) => [
      status,
      { code, message, data: { status, ...more } },
    ];
    expect(await error('missing')).toEqual(expected(404, 'rest_not_found', 'There is no room 5'));
    expect(await error('conflict')).toEqual(expected(409, 'rest_conflict', 'Conflict'));
    expect(await error('unauthorized')).toEqual(expected(401, 'rest_unauthorized', 'A key is needed'));
    expect((await rooms('/errors/unauthorized')).headers.get('www-authenticate')).toBe('Bearer realm="calendar"');
    expect(await error('own')).toEqual(expected(409, 'room_taken', 'Taken', { until: '10:00' }));
    expect(await error('reasons')).toEqual(
      expected(400, 'rest_bad_request', 'Bad request', { reasons: ['The room is too small', 'Too late'] }),
    );
    for (const kind of ['bigint', 'status']) {
      expect(await error(kind)).toEqual(expected(500, 'internal_server_error', 'An unexpected error occurred.'));
    }
    expect(JSON.stringify(await error('secret'))).not.toContain('hush');
    expect(await error('secret')).toEqual(expected(500, 'internal_server_error', 'An unexpected error occurred.'));
    expect(await error('bug')).toEqual(expected(500, 'internal_server_error', 'An unexpected error occurred.'));
    expect(await error('full')).toEqual(expected(409, 'room_full', 'The room Blue is full.', { seats: 12 }));
    for (const [kind, seconds] of [
      ['unavailable', '1'],
      ['later', '120'],
    ] as const) {
      const response = await rooms(`/errors/${kind}`);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, seconds]);
      expect(await response.json()).toMatchObject({ code: 'service_unavailable' });
    }
    expect((await rooms('/errors/basic')).headers.get('www-authenticate')).toBe('Basic realm="rooms"');
    expect(() => registerErrors({ room_full: { status: 410, message: 'Full' } })).toThrow('room_full');
    expect(await bodyOf(rooms('/x'))).toEqual(
      expected(400, 'rest_bad_request', 'Validation failed (numeric string is expected)'),
    );
  });

  it('answers a file that cannot be read with an error, and ends the connection of a torn one', async () => {
    const missing = await rooms('/missing-file');
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { code: 'rest_not_found', message: 'Not Found', data: { status: 404 } },
    ]);
    expect([missing.headers.get('content-disposition'), missing.headers.get('content-encoding')]).toEqual([null, null]);
    expect((await rooms('/missing-file', { method: 'HEAD' })).status).toBe(404);
    const own = await rooms('/own-file');
    expect([own.status, await own.text()]).toEqual([418, 'own']);
    await expect(rooms('/torn-file').then((response) => response.text())).rejects.toThrow();
  });

  it('validates bodies by a ValidationPipe, and tells the sentences by property', async () => {
    const create = (room: object) =>
      bodyOf(rooms('', { method: 'POST', body: JSON.stringify(room), headers: { ...json, 'x-by': 'Ann' } }));
    expect(await create({ name: 'Blue', seats: '12' })).toEqual([
      201,
      { room: { name: 'Blue', seats: 12 }, isRoom: true, by: 'Ann' },
    ]);
    expect(await create({ name: 'B', seats: 0, first: { row: 1 }, colour: 'x'.repeat(21), walls: 4 })).toEqual([
      400,
      {
        code: 'rest_bad_request',
        message: 'Bad request',
        data: {
          status: 400,
          params: {
            colour: 'colour must not be longer than 20 characters.',
            walls: 'property walls should not exist',
            name: 'name must be longer than or equal to 2 characters',
            seats: 'seats must not be less than 1',
            'first.row': 'first.row must be a string',
          },
        },
      },
    ]);
  });

  it('shows them in the OpenAPI document, with the rules of class-validator', async () => {
    const { body } = await service.client.get('/doc');
    const { post, get } = body.paths['/rooms'];
    expect(get.tags).toEqual(['Rooms']);
    expect(post.requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/RoomDto' });
    expect(body.components.schemas.RoomDto).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 2, description: 'the name of the room' },
        seats: { type: 'integer', minimum: 1 },
        first: { $ref: '#/components/schemas/Seat' },
        colour: { type: 'string', description: 'the colour', example: 'blue' },
      },
      required: ['name', 'seats'],
    });
    expect(body.components.schemas.Seat).toEqual({
      type: 'object',
      properties: { row: { type: 'string' } },
      required: ['row'],
    });
    expect(body.paths['/rooms/managed'].post.security).toEqual([{ bearer: [] }, { basic: [] }]);
    expect(Object.keys(body.paths['/rooms/{id}'])).toEqual(['get', 'put', 'patch', 'delete']);
    expect(body.paths['/events'].get.operationId).toBe('listEvents');
  });

  it('parses forms, and leaves other bodies to the handler, up to MAX_BODY_BYTES', async () => {
    const form = await rooms('/list', {
      method: 'POST',
      body: new URLSearchParams({ 'seats[row]': 'A', name: 'x y' }),
    });
    expect(((await form.json()) as { rooms: unknown }).rooms).toEqual({ seats: { row: 'A' }, name: 'x y' });
    const upload = (size: number) => {
      const body = new FormData();
      body.set('name', 'Blue');
      body.set('plan', new Blob(['x'.repeat(size)]), 'plan.txt');
      return rooms('/plan', { method: 'POST', body });
    };
    expect(await bodyOf(upload(1000))).toEqual([201, { name: 'plan.txt', size: 1000, fields: { name: 'Blue' } }]);
    expect((await upload(5000)).status).toBe(413);
    const stream = (size: number) =>
      rooms('/raw', {
        method: 'POST',
        body: Readable.toWeb(Readable.from(Array.from({ length: size / 100 }, () => Buffer.alloc(100)))) as NonNullable<
          RequestInit['body']
        >,
        headers: { 'content-type': 'application/octet-stream' },
        duplex: 'half',
      } as RequestInit);
    expect(await bodyOf(stream(4000))).toEqual([201, { size: 4000 }]);
    expect(await stream(40_000).then(({ status }) => status)).toBe(413);
    expect((await rooms('/list', { method: 'POST', body: '{', headers: json })).status).toBe(400);
    const latin = { 'content-type': 'application/json; charset=latin1' };
    expect((await rooms('/list', { method: 'POST', body: '{}', headers: latin })).status).toBe(415);
    const endless = async (path: string) => {
      const socket = connect(service.client.port, '127.0.0.1').on('error', () => undefined);
      socket.write(
        `POST /${ROOMS}${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      const timer = setInterval(() => socket.write(`400\r\n${'x'.repeat(1024)}\r\n`), 5);
      await new Promise((closed) => socket.once('close', closed));
      clearInterval(timer);
    };
    await endless('/unread');
    expect((await rooms('/list', { method: 'POST', body: `"${'x'.repeat(5000)}"`, headers: json })).status).toBe(413);
  });
});

@Controller('internal/late')
class LateController {
  private readonly results: string[] = [];
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  @Get()
  begin(): object {
    setTimeout(() => {
      this.source.query('SELECT 1').then(
        () => this.results.push('done'),
        (error: unknown) => this.results.push(String(error)),
      );
    }, 100);
    return {};
  }

  @Get('results')
  list(): object {
    return this.results;
  }

  @Post()
  async upload(@Req() request: Request): Promise<object> {
    for await (const _ of request);
    return {};
  }
}

@Module({ controllers: [LateController] })
class LateModule {}

describe('the resources of a request', () => {
  let service: TestApp;
  const settings = { MAX_BODY_BYTES: '4096', MAX_BODIES_IN_FLIGHT_BYTES: '1024' };
  beforeAll(async () => (service = await startOwnApp(settings, { modules: [LateModule] })));
  afterAll(() => service.close());
  const late = (path = '', init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${service.client.port}/internal/late${path}`, init);

  it('work that outlives its request may use the database', async () => {
    await late();
    const results = async () => (await late('/results')).json();
    while (((await results()) as string[]).length === 0) await sleep(50);
    expect(await results()).toEqual(['done']);
  });

  it('contract 5.6: bodies that handlers read count against the memory of bodies', async () => {
    const { port } = service.client;
    const open = [1, 2].map(() => connect(port, '127.0.0.1').on('error', () => undefined));
    for (const socket of open) {
      socket.write(
        'POST /internal/late HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: 4000\r\n\r\n',
      );
    }
    const upload = () => late('', { method: 'POST', body: 'x'.repeat(4000), headers: { 'content-type': 'image/png' } });
    const statusOf = async () => (await upload()).status;
    while ((await statusOf()) !== 503) await sleep(50);
    for (const socket of open) socket.destroy();
    while ((await statusOf()) !== 201) await sleep(50);
  });
});

@Injectable()
class Key implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<Request>().headers['x-key'] === 'open';
  }
}

@Module({ providers: [{ provide: APP_GUARD, useClass: Key }] })
class GuardedModule {}

@Module({})
class KeyedModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply((request: Request, response: Response, next: () => void) => {
        if (request.headers['x-key'] === 'open') next();
        else response.status(403).json({});
      })
      .forRoutes('calendar/events/v1/events');
  }
}

describe('what a module checks', () => {
  it.each([
    ['a global guard', GuardedModule],
    ['middleware', KeyedModule],
  ])('by %s comes before the cache of responses', async (_, module) => {
    const service = await startOwnApp({ CACHE_ENTRIES: '10000' }, { modules: [module] });
    const list = async (headers = {}) => {
      const url = `http://localhost:${service.client.port}/calendar/events/v1/events`;
      return (await fetch(url, { headers })).status;
    };
    expect([await list(), await list({ 'x-key': 'open' }), await list()]).toEqual([403, 200, 403]);
    await service.close();
  });
});

@Controller('calendar/events/v1/doors')
class DoorsController {
  @Get(':id')
  read(@Req() request: Request & { seen?: string[] }): object {
    return { seen: request.seen, url: request.originalUrl };
  }

  @Post()
  create(@Body() door: RoomDto): object {
    return { isRoom: door instanceof RoomDto };
  }
}

@Module({
  controllers: [DoorsController],
  providers: [{ provide: APP_PIPE, useValue: new ValidationPipe({ transform: true }) }],
})
class DoorsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const see = (name: string) => (request: Request & { seen?: string[] }, _: Response, next: () => void) => {
      request.seen = [...(request.seen ?? []), name];
      next();
    };
    consumer.apply(see('doors')).forRoutes(DoorsController);
    consumer.apply(see('events')).forRoutes('calendar/events/v1/events');
    const deny = (_: Request, response: Response) => response.status(403).json({ denied: true });
    const update = { path: 'calendar/events/v1/venues/:id', method: RequestMethod.POST };
    consumer.apply(deny).forRoutes(update);
    consumer.apply(json()).forRoutes('parsed');
    consumer
      .apply((_: Request, response: Response) => response.status(203).json({ status: 'by middleware' }))
      .forRoutes('status');
    consumer
      .apply((request: Request, response: Response) => response.status(200).json(request.body))
      .forRoutes('parsed');
  }
}

describe('a module with Express middleware and a global pipe', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startOwnApp({}, { modules: [DoorsModule] })));
  afterAll(() => service.close());

  it('runs the middleware below every mount, and serves our routes as before', async () => {
    const { client, tokens } = service;
    const at = (path: string) => fetch(`http://127.0.0.1:${client.port}${path}`);
    const path = '/de/calendar/events/v1/doors/5?a=1';
    expect(await (await at(path)).json()).toEqual({ seen: ['doors'], url: path });
    expect((await at('/status')).status).toBe(203);
    expect((await at('/nothing')).status).toBe(404);
    expect((await client.get('/nothing')).body.code).toBe('rest_no_route');
    const made = await client.post(
      '/events',
      { title: 'T', start_date: '2027-03-10', end_date: '2027-03-10' },
      tokens.edi,
    );
    expect(made.status).toBe(201);
    const id = made.body.id as number;
    expect((await client.put(`/events/${id}`, { title: 'U' }, tokens.edi)).body.title).toBe('U');
    expect((await client.get(`/events/by-slug/${made.body.slug}`)).body.id).toBe(id);
    expect((await client.get('/events?search=U')).body.total).toBe(1);
    expect((await client.send('/events', { method: 'PUT' })).status).toBe(405);
  });

  it('does not make paths reach handlers that they do not match', async () => {
    const behind = await startOwnApp({ BASE_PATH: '/api' }, { modules: [DoorsModule] });
    const statusOf = async (path: string, method = 'GET') => {
      const response = await fetch(`http://127.0.0.1:${behind.client.port}${path}`, { method, redirect: 'manual' });
      return response.status;
    };
    const mount = '/api/calendar/events/v1';
    expect(await statusOf(`${mount}/tags`)).toBe(200);
    for (const path of ['/calendar/events/v1/tags', `${mount}/TAGS`, `${mount}//`, `${mount}/tags//`, '/Event/x']) {
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    }
    for (const path of [`${mount}/events/by-slug/a%2fb`, `${mount}/events/%`, '/nothing/%ff']) {
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    }
    await behind.close();
  });

  it('gives middleware the method and the body that the client sent', async () => {
    const { client, tokens } = service;
    const venue = await client.post('/venues', { venue: 'Hall' }, tokens.edi);
    const path = `/calendar/events/v1/venues/${venue.body.id}`;
    const update = (method: string) =>
      fetch(`http://127.0.0.1:${client.port}${path}`, {
        method,
        body: '{"city":"Lyon"}',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.edi}` },
      }).then(({ status }) => status);
    expect([await update('POST'), await update('PUT'), await update('PATCH')]).toEqual([403, 200, 200]);
    const parsed = await fetch(`http://127.0.0.1:${client.port}/parsed`, {
      method: 'POST',
      body: '[1]',
      headers: { 'content-type': 'application/json' },
    });
    expect(await parsed.json()).toEqual([1]);
  });

  it('validates bodies of its own routes', async () => {
    const create = (body: object) =>
      fetch(`http://127.0.0.1:${service.client.port}/calendar/events/v1/doors`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    expect(await (await create({ name: 'Blue', seats: 1 })).json()).toEqual({ isRoom: true });
    expect((await create({})).status).toBe(400);
  });
});
