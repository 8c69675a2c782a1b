import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  HttpException,
  Ip,
  Module,
  NotFoundException,
  Req,
  UseFilters,
} from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import { startOwnApp, type TestApp } from '../support/app.js';

/** As the NestJS manual has it: a filter for everything, which answers by the status of an HttpException. */
@Catch()
class EverythingFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const statusCode = thrown instanceof HttpException ? thrown.getStatus() : 500;
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), { statusCode }, statusCode);
  }
}

/** The manual's other way: logs, and lets Nest respond. */
@Catch()
class LoggingFilter extends BaseExceptionFilter {
  override catch(thrown: unknown, host: ArgumentsHost): void {
    seen.push(thrown);
    super.catch(thrown, host);
  }
}
const seen: unknown[] = [];

/** As in the manual of NestJS, by Express. */
@Catch()
class ExpressFilter implements ExceptionFilter {
  catch(_thrown: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ teapot: true });
  }
}

@Catch()
class ThrowingFilter implements ExceptionFilter {
  catch(): void {
    throw new Error('the filter fails');
  }
}

@Catch()
class RejectingFilter implements ExceptionFilter {
  async catch(_thrown: unknown, host: ArgumentsHost): Promise<void> {
    const { path } = host.switchToHttp().getRequest<Request>();
    if (path === '/internal/begun') host.switchToHttp().getResponse<Response>().write('begun');
    await new Promise(setImmediate);
    throw new Error('the filter fails later');
  }
}

@Controller('internal')
class InternalController {
  @Get('missing')
  missing(): void {
    throw new NotFoundException();
  }

  @Get('local')
  @UseFilters(new ThrowingFilter())
  local(): void {
    throw new NotFoundException();
  }

  @Get('begun')
  begun(): void {
    throw new NotFoundException();
  }

  @Get('bug')
  bug(): void {
    throw new TypeError('hush');
  }

  @Get('client')
  client(@Ip() ip: string, @Req() { protocol }: Request): object {
    return { ip, protocol };
  }
}

const moduleWith = (useClass: new (...args: never[]) => ExceptionFilter) => {
  class InternalModule {}
  Module({ controllers: [InternalController], providers: [{ provide: APP_FILTER, useClass }] })(InternalModule);
  return InternalModule;
};

const failing = (service: TestApp) =>
  Promise.all(
    ['/calendar/events/v1/events/999', '/calendar/events/v1/events?page=x', '/nothing', '/internal/missing'].map(
      async (path) => {
        const response = await fetch(`http://127.0.0.1:${service.client.port}${path}`);
        return [response.status, await response.json()] as [number, { code?: string; data?: object }];
      },
    ),
  );

const bodyOf = async (service: TestApp, path: string) =>
  (await fetch(`http://127.0.0.1:${service.client.port}${path}`)).text();

describe('a filter of a module for everything', () => {
  it('knows the status of errors of the service, because they are HttpExceptions', async () => {
    const service = await startOwnApp({}, { modules: [moduleWith(EverythingFilter)] });
    const statuses = [404, 400, 404, 404];
    expect(await failing(service)).toEqual(statuses.map((statusCode) => [statusCode, { statusCode }]));
    const bug = await fetch(`http://127.0.0.1:${service.client.port}/internal/bug`);
    expect([bug.status, await bug.json()]).toEqual([500, { statusCode: 500 }]);
    await service.close();
  });

  it('may respond by Express', async () => {
    const service = await startOwnApp({}, { modules: [moduleWith(ExpressFilter)] });
    expect(await failing(service)).toEqual(Array(4).fill([418, { teapot: true }]));
    await service.close();
  });

  it.each([ThrowingFilter, RejectingFilter])(
    'that fails is an error 500, and does not end the process: %o',
    async (filter) => {
      const service = await startOwnApp({}, { modules: [moduleWith(filter)] });
      const error = [500, expect.objectContaining({ code: 'internal_server_error' })];
      expect(await failing(service)).toEqual(Array(4).fill(error));
      // What has begun cannot become an error: the connection ends.
      if (filter === RejectingFilter) await expect(bodyOf(service, '/internal/begun')).rejects.toThrow();
      expect(await bodyOf(service, '/health/live')).toBe('{"status":"live"}');
      await service.close();
    },
  );

  it('of one route that fails is an error 500, too', async () => {
    const service = await startOwnApp({}, { modules: [moduleWith(ExpressFilter)] });
    expect(await bodyOf(service, '/internal/local')).toContain('"code":"internal_server_error"');
    await service.close();
  });

  it('may leave the response to Nest, which sends the bodies of the contract', async () => {
    const service = await startOwnApp({}, { modules: [moduleWith(LoggingFilter)] });
    const [event, page, nothing] = await failing(service);
    expect(event).toEqual([404, expect.objectContaining({ code: 'rest-event-not-found' })]);
    expect(page?.[1].data).toMatchObject({ status: 400, params: { page: 'page must be an integer.' } });
    expect(nothing?.[1].code).toBe('rest_no_route');
    expect(seen).toHaveLength(4);
    await service.close();
  });
});

it('request.ip and request.protocol of a module are those of the client behind TRUST_PROXY', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' };
  for (const [TRUST_PROXY, expected] of [
    ['127.0.0.0/8', { ip: '192.0.2.7', protocol: 'https' }],
    ['', { ip: '127.0.0.1', protocol: 'http' }],
  ] as const) {
    const service = await startOwnApp({ TRUST_PROXY }, { modules: [moduleWith(LoggingFilter)] });
    const response = await fetch(`http://127.0.0.1:${service.client.port}/internal/client`, { headers });
    expect(await response.json()).toEqual(expected);
    await service.close();
  }
});
