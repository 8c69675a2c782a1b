import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from './processes.js';

export const MOUNT = '/calendar/events/v1';

/** Requests to one contender one after the other reuse a connection, so that no request pays for opening one. */
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

const READY_PAUSE_MS = 20;

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

/** Waits until a service has its index of events, because its lists are 503 before if that takes longer than their deadline. */
export async function untilReady(service: Pick<Contender, 'port'>): Promise<void> {
  while ((await ask(service, '/health/ready')).status !== 200) await sleep(READY_PAUSE_MS);
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
