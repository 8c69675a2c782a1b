import { NotFoundException, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';

/** The source of Nest's own handler, which answers 400 in plain text. Each file has a copy of it. */
const NESTS_HANDLER = String(new StreamableFile(new Uint8Array()).errorHandler);

/**
 * Makes a file that cannot be read an error like all others: 404 if it does not exist, else 500. Keeps a handler that the
 * module has set by `setErrorHandler`.
 */
export function rejectIfUnreadable(file: StreamableFile, response: Response, reject: (error: Error) => void): void {
  const { errorHandler, errorLogger } = file;
  if (String(errorHandler) !== NESTS_HANDLER) return;
  file.setErrorHandler((error) => {
    // Nest's handler logs the error and ends the connection.
    if (response.headersSent || response.destroyed) return errorHandler(error, response);
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing) errorLogger(error);
    reject(isMissing ? new NotFoundException() : error);
  });
}
