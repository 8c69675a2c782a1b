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
} from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import type { Request } from 'express';
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

@Controller('internal')
class InternalController {
  @Get('missing')
  missing(): void {
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

describe('a filter of a module for everything', () => {
  it('knows the status of errors of the service, because they are HttpExceptions', async () => {
    const service = await startOwnApp({}, { modules: [moduleWith(EverythingFilter)] });
    const statuses = [404, 400, 404, 404];
    expect(await failing(service)).toEqual(statuses.map((statusCode) => [statusCode, { statusCode }]));
    const bug = await fetch(`http://127.0.0.1:${service.client.port}/internal/bug`);
    expect([bug.status, await bug.json()]).toEqual([500, { statusCode: 500 }]);
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
