import { createHash } from 'node:crypto';
import { createLogger } from '@stoplight/prism-core';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';

/** Operations by the digest of their document, because all services of a run have the same document. */
const operations = new Map();

/**
 * Starts Prism as a proxy of the API at the base URL `root`, with its document, and returns the port.
 * Calls `seen` with every exchange: the request, the response and the violations that Prism found in them.
 */
export async function startPrism(root, document, seen) {
  const config = {
    isProxy: true,
    upstream: new URL(root),
    validateRequest: true,
    validateResponse: true,
    checkSecurity: true,
    // Prism reports violations without rejecting them, because intentionally invalid requests must reach the service.
    errors: false,
    mock: { dynamic: false },
  };
  const components = { logger: createLogger('prism', { level: 'silent' }) };
  const server = createServer(await operationsOf(document), { cors: false, config, components });
  const { prism } = server;
  const carry = prism.request;
  // The violations are read here, because Prism cuts their response header at 8 KB.
  prism.request = (request, ...others) => {
    // Without this header Prism would request gzip for every client, and the gzipped form has another ETag.
    const headers = { 'accept-encoding': 'identity', ...request.headers };
    const task = carry({ ...request, headers }, ...others);
    return async () => {
      const result = await task();
      seen({ root, request, error: result.left, ...result.right });
      return result;
    };
  };
  const address = await server.listen(0, '127.0.0.1');
  return Number(new URL(address).port);
}

function operationsOf(document) {
  const key = createHash('sha256').update(document).digest('hex');
  const known = operations.get(key) ?? getHttpOperationsFromSpec(JSON.parse(document));
  operations.set(key, known);
  return known;
}
