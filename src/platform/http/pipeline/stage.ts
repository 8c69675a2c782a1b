import type { Response } from 'express';
import type { KalendsRequest } from '../request.js';

/** One step of a request before the router. */
export interface Stage {
  /** Answers `true` when it has sent the answer itself. */
  handle(request: KalendsRequest, response: Response): boolean | Promise<boolean>;
}
