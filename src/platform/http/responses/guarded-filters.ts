import { type ArgumentsHost, Logger } from '@nestjs/common';
import type { ExceptionFilterMetadata } from '@nestjs/common/internal';
import { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import type { Response } from 'express';
import { loggedError } from '../../../errors/logged-error.js';
import type { KalendsRequest } from '../request.js';
import { sendFailure } from './send.js';

const logger = new Logger('Error');

/**
 * Nest leaves a filter of a module that fails as it is: the process would end, and the client would wait. All routers of
 * Nest hand their filters to this method, and no other place sees those of `@UseFilters()`. The failure becomes an error 500.
 */
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with `this` below
const { setCustomFilters } = ExceptionsHandler.prototype;
ExceptionsHandler.prototype.setCustomFilters = function (this: ExceptionsHandler, filters) {
  setCustomFilters.call(this, filters.map(guarded));
};

function guarded({ func, ...rest }: ExceptionFilterMetadata): ExceptionFilterMetadata {
  return {
    ...rest,
    func: (exception: unknown, host: ArgumentsHost): unknown => {
      try {
        const result = func(exception, host) as unknown;
        return result instanceof Promise ? result.catch((error: unknown) => fail(error, host)) : result;
      } catch (error) {
        fail(error, host);
        return undefined;
      }
    },
  };
}

function fail(error: unknown, host: ArgumentsHost): void {
  const { requestId } = host.switchToHttp().getRequest<KalendsRequest>();
  logger.error({ requestId, error: loggedError(error), msg: 'an exception filter failed' });
  sendFailure(host.switchToHttp().getResponse<Response>());
}
