import type { ServerResponse } from 'node:http';

/** Calls back once the response is closed; at once where it is already, since clients leave at any moment. */
export function onClosed(response: ServerResponse, done: () => void): void {
  if (response.destroyed) done();
  else response.once('close', done);
}
