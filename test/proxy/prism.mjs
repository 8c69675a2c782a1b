import { createHash } from 'node:crypto';
import { createLogger } from '@stoplight/prism-core';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';

/** Operations by the digest of the document they are of: all services of a run describe themselves alike. */
const operations = new Map();

/**
 * Starts Prism before the service whose interface begins at `root`, with the document that describes it.
 * Answers the port. `seen` is told of every exchange: the request, the answer and what Prism has against either.
 */
export async function startPrism(root, document, seen) {
  const config = {
    isProxy: true,
    upstream: new URL(root),
    validateRequest: true,
    validateResponse: true,
    checkSecurity: true,
    // Violations are noted and not answered: what is sent wrong on purpose has to reach the service.
    errors: false,
    mock: { dynamic: false },
  };
  const components = { logger: createLogger('prism', { level: 'silent' }) };
  const server = createServer(await operationsOf(document), { cors: false, config, components });
  const { prism } = server;
  const carry = prism.request;
  // The header with the violations is cut at 8 KB; here they are whole.
  prism.request = (request, ...others) => {
    // It would ask for gzip in the name of clients that do not: tags tell the forms apart.
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
