import type { ServerOptions } from 'node:http';
import type { Environment } from '../config/environment.js';

/** Bytes of request line and headers. An address of 8,192 bytes has its place, also when each byte becomes three. */
const MOST_HEADER_BYTES = 32 * 1024;

/** How long the server waits for clients, in milliseconds; which are too slow is looked up every second. */
export function serverOptions(environment: Environment): ServerOptions {
  return {
    maxHeaderSize: MOST_HEADER_BYTES,
    // Node takes none above that of the whole request.
    headersTimeout: Math.min(environment.HEADERS_TIMEOUT, environment.REQUEST_TIMEOUT) * 1000,
    requestTimeout: environment.REQUEST_TIMEOUT * 1000,
    keepAliveTimeout: environment.KEEP_ALIVE_TIMEOUT * 1000,
    // Without it a request is refused further up, as the interface says (address.stage.ts).
    requireHostHeader: false,
    connectionsCheckingInterval: 1000,
  };
}
