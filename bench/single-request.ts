import { Agent, request } from 'node:http';
import type { Contender } from './processes.js';

export const MOUNT = '/calendar/events/v1';

/** Requests to one contender one after the other reuse a connection, so that no request pays for opening one. */
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

export interface Answered {
  readonly status: number;
  readonly milliseconds: number;
}

/** Sends one request, reads the whole response, and returns its status and duration. */
export function ask(
  { port }: Pick<Contender, 'port'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path, agent, headers: { host: 'localhost:3000', ...headers } };
    request(options, (response) => {
      response
        .on('end', () => resolve({ status: response.statusCode ?? 0, milliseconds: performance.now() - began }))
        .resume();
    })
      .on('error', reject)
      .end();
  });
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

export function percentiles(times: readonly number[]): Percentiles {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
