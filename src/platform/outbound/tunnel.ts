import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';

const OK = 200;

/**
 * Opens a connection to a checked address through an HTTP proxy, by CONNECT, so that the proxy does no second DNS lookup.
 * Throws if the proxy refuses.
 */
export function openTunnel(proxy: URL, target: URL, address: string, signal: AbortSignal): Promise<Duplex> {
  const begin = proxy.protocol === 'https:' ? requestHttps : requestHttp;
  const host = isIP(address) === 6 ? `[${address}]` : address;
  const path = `${host}:${target.port || (target.protocol === 'https:' ? 443 : 80)}`;
  return new Promise((resolve, reject) => {
    const request = begin(proxy, { method: 'CONNECT', path, headers: { Host: path }, agent: false, signal });
    request
      .on('connect', ({ statusCode }, socket) => {
        if (statusCode === OK) return resolve(socket);
        socket.destroy();
        reject(new Error(`the proxy answered ${statusCode}`));
      })
      .on('response', (response) => {
        response.destroy();
        reject(new Error(`the proxy answered ${response.statusCode}`));
      })
      .on('error', reject)
      .on('close', () => reject(new Error('the proxy closed the connection')))
      .end();
  });
}
