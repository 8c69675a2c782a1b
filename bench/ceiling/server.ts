import { createServer } from 'node:http';
import { openDriver } from '../database.js';
import { type Answer, type Asked, readRequest, send } from './http.js';
import { Reads } from './reads.js';

/**
 * The raw ceiling: what the same answers cost on node:http and the bare driver. It reads well-formed requests of
 * anonymous callers only and checks nothing; see docs/performance.md.
 */
const reads = new Reads(openDriver(process.env.DATABASE_URL ?? ''));

function answer(asked: Asked): Promise<Answer> {
  const [, collection, first, second] = asked.path.split('/');
  if (collection === 'venues') return reads.venues(asked);
  if (collection === 'categories' || collection === 'tags') return reads.categories(asked);
  if (first === undefined) return reads.events(asked);
  if (second === undefined) return reads.event(asked, 'id', first);
  return reads.event(asked, 'slug', decodeURIComponent(second));
}

const server = createServer((request, response) => {
  const asked = readRequest(request);
  answer(asked).then(
    (found) => send(request, response, asked, found),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
// A header of every answer tells how long a connection is kept.
server.keepAliveTimeout = 65_000;
server.listen(Number(process.env.PORT), process.env.HOST);
