import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { Database } from '../../../database/database.js';
import type { KalendsRequest } from '../request.js';
import { lacksFileDescriptor } from '../../server/file-descriptors.js';
import { ErrorPages } from './error-page.js';
import { sendError, sendFailure } from './send.js';
import { ApiError, apiError, unavailable } from '../../../errors/api-error.js';
import { errorOfException } from '../../../errors/http-errors.js';
import { loggedError } from '../../../errors/logged-error.js';

/** Turns exceptions into the errors of the contract. Unexpected ones are logged and answered 500 without details. */
@Catch()
export class AnyExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger('Error');

  constructor(
    private readonly database: Database,
    private readonly pages: ErrorPages,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<KalendsRequest>();
    const response = http.getResponse<Response>();
    // Middleware that has responded may still call `next`.
    if (response.headersSent) return sendFailure(response);
    const error = this.translate(thrown, request);
    sendError(response, error, this.pages.of(error, request)).catch((error: unknown) => {
      // The body of an exception that cannot be JSON.
      this.logger.error({ requestId: request.requestId, error: loggedError(error), msg: 'unexpected error' });
      sendFailure(response);
    });
  }

  private translate(thrown: unknown, request: KalendsRequest): ApiError {
    if (thrown instanceof ApiError) return thrown;
    const exception = thrown instanceof HttpException ? thrown : exceptionOf(thrown);
    if (exception !== undefined && exception.getStatus() >= 400 && exception.getStatus() < 500)
      return errorOfException(exception);
    if (this.database.dialect.isTooLarge(thrown)) return apiError('rest_body_too_large');
    const { requestId } = request;
    if (this.database.isUnavailable(thrown) || lacksFileDescriptor(thrown)) {
      // A warning without a stack: under overload or without a database, every request would log one.
      const { name, code, message } = loggedError(thrown);
      this.logger.warn({ requestId, code, msg: message || name });
      return unavailable();
    }
    this.logger.error({ requestId, error: loggedError(thrown), msg: 'unexpected error' });
    return exception === undefined ? apiError('internal_server_error') : errorOfException(exception);
  }
}

/** Returns an error of Express middleware (http-errors) as an exception, or undefined for any other. */
function exceptionOf(thrown: unknown): HttpException | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { statusCode, expose } = thrown as { statusCode?: unknown; expose?: unknown };
  return typeof statusCode === 'number' && expose === true ? new HttpException(thrown.message, statusCode) : undefined;
}
