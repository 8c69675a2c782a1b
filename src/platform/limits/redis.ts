import { within } from '../within.js';

/** The little that is asked of a client of Redis. */
export interface Redis {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  set(key: string, value: string, options: { EX: number }): Promise<unknown>;
  destroy(): void;
}

/**
 * Connects, or fails within some milliseconds. A connection that breaks stays broken. The client is loaded only now:
 * who has no Redis does not pay for it.
 */
export async function connectRedis(url: string, mostMilliseconds: number): Promise<Redis> {
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    // What every version of Redis and its kin speaks.
    RESP: 2,
    disableClientInfo: true,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: false, connectTimeout: mostMilliseconds },
  });
  // Whoever uses the connection learns of it.
  client.on('error', () => undefined);
  try {
    await within(mostMilliseconds, client.connect());
    return client;
  } catch (error) {
    if (client.isOpen) client.destroy();
    throw error;
  }
}
