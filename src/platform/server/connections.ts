import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { mayBreakLine } from './request-line.js';

/** A request whose answer is not out yet. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** More of an address is not accepted anyway (limits.ts). */
const MOST_TAIL = 32 * 1024;

/** What must be known of a connection when its parser gives up. */
export class Connection {
  /** What came before the latest packet and may belong to an address that goes on in it. */
  tail: Buffer | undefined;
  private readonly open = new Set<Exchange>();

  /** `socket` is read already: its parser has had each packet before this sees it. */
  constructor(socket: Duplex) {
    socket.on('data', (packet: Buffer) => {
      const joined = this.tail === undefined ? packet : Buffer.concat([this.tail, packet]);
      // A copy, since a part of it would hold all of it in memory.
      this.tail = mayBreakLine(packet) ? Buffer.from(joined.subarray(-MOST_TAIL)) : undefined;
    });
  }

  begin(exchange: Exchange): void {
    this.open.add(exchange);
    exchange.response.once('close', () => this.open.delete(exchange));
  }

  /** The request that has begun and whose body has not come to its end. */
  get unfinished(): Exchange | undefined {
    return [...this.open].find(({ request }) => !request.complete);
  }

  /** Waits until all complete requests are answered: answers go out in the order of requests. */
  async answered(): Promise<void> {
    const complete = [...this.open].filter(({ request }) => request.complete);
    await Promise.all(complete.map(({ response }) => new Promise((done) => response.once('close', done))));
  }
}
