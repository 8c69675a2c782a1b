import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { openDriver } from '../database.js';
import type { KeptReply } from '../kept-replies.js';

/**
 * The ceiling of kept responses: a server that sends bytes from memory, after a look at the number of the last commit. The
 * look begins after the request came, as that of Kalends, because an earlier one could miss a commit.
 */
const driver = openDriver(process.env.DATABASE_URL ?? '');
const isFile = process.env.DATABASE_URL?.startsWith('sqlite:') === true;
const kept = JSON.parse(readFileSync(process.env.REPLIES ?? '', 'utf8')) as KeptReply[];
const replies = new Map(
  kept.map(({ path, ...reply }) => [path, { ...reply, bytes: Buffer.from(reply.body, 'base64') }]),
);

type Waiting = readonly [request: IncomingMessage, response: ServerResponse];
let waiting: Waiting[] = [];
let isLooking = false;

function look(): void {
  const served = waiting;
  waiting = [];
  driver.rows('SELECT version, epoch FROM data_version').then(
    () => {
      isLooking = waiting.length > 0;
      if (isLooking) lookSoon();
      for (const [request, response] of served) send(request, response);
    },
    (error: unknown) => {
      for (const [, response] of served) response.writeHead(500).end(String(error));
      isLooking = false;
    },
  );
}

/** A look at a file blocks the process, so it waits for the other requests of this turn of the event loop. */
function lookSoon(): void {
  if (isFile) setImmediate(look);
  else look();
}

function send(request: IncomingMessage, response: ServerResponse): void {
  const reply = replies.get(request.url ?? '');
  if (reply === undefined) response.writeHead(404).end();
  else if (request.headers['if-none-match'] === reply.etag)
    response.writeHead(304, { ...reply.unchanged, 'X-Request-Id': randomUUID() }).end();
  else response.writeHead(200, { ...reply.headers, 'X-Request-Id': randomUUID() }).end(reply.bytes);
}

const server = createServer((request, response) => {
  waiting.push([request, response]);
  if (isLooking) return;
  isLooking = true;
  lookSoon();
});
server.keepAliveTimeout = 65_000;
server.listen(Number(process.env.PORT), process.env.HOST);
