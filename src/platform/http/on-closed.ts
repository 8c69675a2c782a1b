import type { ServerResponse } from 'node:http';

/** Calls back when the response is closed, or immediately if it is closed already. */
export function onClosed(response: ServerResponse, done: () => void): void {
  if (response.destroyed) done();
  else response.once('close', done);
}
