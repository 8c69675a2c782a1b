import { Controller, ForbiddenException, Get, Module, Options, Propfind, Search, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { createApp } from '../../src/create-app.js';
import { isAnonymous } from '../../src/kernel/caller.js';
import { PipelineStage, type Stage, type StagePlace } from '../../src/platform/http/pipeline/stage.js';
import type { KalendsRequest } from '../../src/platform/http/request.js';
import { Lists, Reads, ResourceController } from '../../src/platform/http/routing/route-decorators.js';
import { startOwnApp, withEnvironment } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';

const moduleOf = (controllers: Type[], providers: Type[] = []): Type => {
  class RoutesModule {}
  Module({ controllers, providers })(RoutesModule);
  return RoutesModule;
};

const started = (...controllers: Type[]) => startOwnApp({}, { modules: [moduleOf(controllers)] });

describe('methods of WebDAV and searches', () => {
  @Controller()
  class DavController {
    @Search('calendar/events/v1/rooms')
    search(): object {
      return { searched: true };
    }

    @Propfind('files/*path')
    propfind(): object {
      return { found: true };
    }
  }

  it('reach their handlers, below the mounts and outside', async () => {
    const service = await started(DavController);
    const send = async (method: string, path: string) => {
      const response = await fetch(`http://127.0.0.1:${service.client.port}${path}`, { method });
      return [response.status, response.headers.get('allow'), await response.text()];
    };
    for (const mount of ['/calendar/events/v1', '/de/calendar/events/v1', '/wp-json/tribe/events/v1'])
      expect(await send('SEARCH', `${mount}/rooms`)).toEqual([200, null, '{"searched":true}']);
    expect(await send('PROPFIND', '/files/a/b')).toEqual([200, null, '{"found":true}']);
    expect((await send('GET', '/calendar/events/v1/rooms')).slice(0, 2)).toEqual([405, 'SEARCH, OPTIONS']);
    expect((await send('SEARCH', '/calendar/events/v1/events'))[0]).toBe(405);
    await service.close();
  });
});

describe('a handler that no request can reach stops the start', () => {
  @Controller('calendar/events/v1/events')
  class OneEventController {
    @Get('123')
    read(): void {}
  }

  @Controller('calendar/events/v1/events')
  class OptionsController {
    @Options()
    options(): void {}
  }

  @Controller('wp-json/tribe/events/v1/rooms')
  class MountedController {
    @Get(':id')
    read(): void {}
  }

  @Controller('health')
  class HealthController {
    @Get('live')
    live(): void {}
  }

  @Controller('wp-json')
  class IndexController {
    @Get()
    index(): void {}
  }

  class Parameters {}

  @ResourceController('rooms', 'Rooms')
  class NamedController {
    @Reads(':name', { id: 'readRoom', summary: 'Read a room' })
    read(): void {}
  }

  @Controller('rooms')
  class OutsideController {
    @Lists({ id: 'listRooms', summary: 'List rooms', accepts: Parameters })
    list(): void {}
  }

  it.each([
    ['GET /calendar/events/v1/events/123 of a module can never be reached: the service answers', OneEventController],
    ['OPTIONS /calendar/events/v1/events of a module can never', OptionsController],
    [
      'GET /wp-json/tribe/events/v1/rooms/:id of a module can never be reached: /wp-json/tribe/events/v1 is',
      MountedController,
    ],
    ['GET /health/live of a module can never be reached', HealthController],
    ['GET /wp-json of a module can never be reached', IndexController],
    ['/rooms/:name can never be reached: take :id or :slug instead of :name', NamedController],
    ['OutsideController.list can never be reached: use @ResourceController()', OutsideController],
  ])('%s', async (message, controller) => {
    await expect(started(controller)).rejects.toThrow(message);
  });

  it('so does setGlobalPrefix', async () => {
    const database = await createTestDatabase();
    const app = await withEnvironment({ LOG_LEVEL: 'silent', DATABASE_URL: database.url }, createApp);
    app.setGlobalPrefix('api');
    await expect(app.init()).rejects.toThrow("setGlobalPrefix('api') hides all routes. Set BASE_PATH instead.");
    await app.close();
    await database.drop();
  });
});

describe('a stage of a module', () => {
  const ran: string[] = [];

  /** Notes its place and who the caller is there, and answers or rejects requests that ask for it. */
  const stageAt = (place: StagePlace): Type<Stage> => {
    @PipelineStage(place)
    class NotingStage implements Stage {
      async handle(request: KalendsRequest, response: Response): Promise<boolean> {
        const isKnown = request.context.caller !== undefined && !isAnonymous(request.context.caller);
        ran.push(`${place}${isKnown ? ' knows the caller' : ''}`);
        await new Promise(setImmediate);
        if (request.headers['x-answer'] === place) response.status(299).json({ place });
        if (request.headers['x-reject'] === place) throw new ForbiddenException(`not ${place}`);
        if (request.headers['x-fail'] === place) throw new TypeError('hush');
        return response.headersSent;
      }
    }
    return NotingStage;
  };
  const PLACES: StagePlace[] = ['before-url', 'before-body', 'authenticated', 'before-route'];

  it('runs at its place for every request, and may answer or reject it', async () => {
    const service = await startOwnApp({}, { modules: [moduleOf([], PLACES.toReversed().map(stageAt))] });
    const send = async (headers: Record<string, string> = {}, path = '/calendar/events/v1/events') => {
      ran.length = 0;
      const authorization = `Bearer ${service.tokens.edi}`;
      const response = await fetch(`http://127.0.0.1:${service.client.port}${path}`, {
        headers: { authorization, ...headers },
      });
      return [response.status, (await response.json()) as object];
    };
    const all = ['before-url', 'before-body', 'authenticated knows the caller', 'before-route knows the caller'];
    expect((await send())[0]).toBe(200);
    expect(ran).toEqual(all);
    for (const [index, place] of PLACES.entries()) {
      expect(await send({ 'x-answer': place })).toEqual([299, { place }]);
      expect(ran).toEqual(all.slice(0, index + 1));
      expect(await send({ 'x-reject': place })).toMatchObject([403, { message: `not ${place}` }]);
      expect(await send({ 'x-fail': place })).toMatchObject([500, { message: 'An unexpected error occurred.' }]);
    }
    // Probes come before, and a path that nobody serves ends at its check.
    expect([(await send({}, '/health/live'))[0], ran]).toEqual([200, []]);
    expect([(await send({}, '/nothing'))[0], ran]).toEqual([404, ['before-url']]);
    await service.close();
  });

  it('comes after those of earlier modules at the same place', async () => {
    const named = (name: string): Type<Stage> => {
      @PipelineStage('before-route')
      class NamedStage implements Stage {
        handle(): boolean {
          ran.push(name);
          return false;
        }
      }
      return NamedStage;
    };
    const modules = ['first', 'second'].map((name) => moduleOf([], [named(name)]));
    const service = await startOwnApp({}, { modules });
    ran.length = 0;
    expect((await service.client.get('/tags')).status).toBe(200);
    expect(ran.slice(-2)).toEqual(['first', 'second']);
    await service.close();
  });
});
