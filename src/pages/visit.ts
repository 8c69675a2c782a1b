import type { KalendsRequest } from '../platform/http/request.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { Frame } from './views/frame.js';

/** A request for a page. */
export interface Visit {
  readonly frame: Frame;
  readonly context: RequestContext;
  /** The decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly request: KalendsRequest;
}
