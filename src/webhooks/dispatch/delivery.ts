import type { ClientRequest, IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { AddressError, type Network, permittedAddresses } from '../../platform/outbound/network.js';
import { PinnedConnections, pinnedRequest, requestOver } from '../../platform/outbound/pinned-request.js';
import { openTunnel } from '../../platform/outbound/tunnel.js';

/** Why an attempt failed (webhooks section 1, "Message object"). */
type DeliveryError = 'timeout' | 'connect' | 'tls' | 'dns' | 'forbidden_address' | 'redirect' | 'status' | 'too_large';

/** The result of one attempt. */
export interface DeliveryResult {
  /** The status of the response. 0: there was none. */
  readonly status: number;
  /** undefined: delivered. */
  readonly error?: DeliveryError;
  readonly retryAfter?: string;
  /** Whether the receiver wants no further attempt. */
  readonly isUnwanted?: boolean;
}

/** A message to send. */
export interface DeliveryRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The time for lookup, connection, request and response together. */
const TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 65_536;

/** Where and how messages are sent. */
export interface DeliveryNetwork extends Network {
  readonly proxy: URL | undefined;
  readonly connections: PinnedConnections;
}

/** Sends a message once. Never throws, and never follows a redirect. `stopped` aborts it (webhooks rule 3.4). */
export async function deliver(
  { url, headers, body }: DeliveryRequest,
  network: DeliveryNetwork,
  stopped: AbortSignal,
): Promise<DeliveryResult> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const signal = AbortSignal.any([deadline, stopped]);
  const progress: Progress = { step: 'dns' };
  try {
    const target = new URL(url);
    const addresses = await permittedAddresses(target, network, signal);
    const response = await send(target, addresses, { headers, body, signal, progress, network });
    return await resultOf(response);
  } catch (error) {
    if (signal.aborted) return { status: 0, error: 'timeout' };
    if (error instanceof AddressError) return { status: 0, error: error.reason };
    return { status: 0, error: isTooLarge(error) ? 'too_large' : errorAt(progress) };
  }
}

/** How far an attempt has come. */
interface Progress {
  step: 'dns' | 'connect' | 'tls' | 'response';
}

function errorAt({ step }: Progress): DeliveryError {
  return step === 'response' ? 'connect' : step;
}

interface Sending {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly network: DeliveryNetwork;
}

async function send(target: URL, addresses: readonly string[], sending: Sending): Promise<IncomingMessage> {
  const { headers, body, signal, progress, network } = sending;
  const { proxy, connections } = network;
  progress.step = 'connect';
  const options = { method: 'POST', headers: { ...headers, 'Content-Length': Buffer.byteLength(body) }, signal };
  if (proxy !== undefined) {
    const connecting = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)]);
    const tunnel = await openTunnel(proxy, target, addresses[0]!, connecting);
    return responseTo(requestOver(tunnel, target, options), target, body, progress, true);
  }
  const request = connections.request(target, addresses, options);
  try {
    return await responseTo(request, target, body, progress, false);
  } catch (error) {
    if (!request.reusedSocket || signal.aborted) throw error;
    // The receiver may have closed the idle connection meanwhile.
    return responseTo(pinnedRequest(target, addresses, options), target, body, progress, false);
  }
}

function responseTo(
  request: ClientRequest,
  target: URL,
  body: string,
  progress: Progress,
  isTunnel: boolean,
): Promise<IncomingMessage> {
  progress.step = 'connect';
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => request.destroy(new Error('no connection in time')), CONNECT_TIMEOUT_MS);
    const connected = () => {
      clearTimeout(timeout);
      progress.step = 'response';
    };
    request
      .on('socket', (socket) => {
        if (request.reusedSocket) return connected();
        if (target.protocol === 'http:') return isTunnel ? connected() : socket.once('connect', connected);
        if (isTunnel) progress.step = 'tls';
        else socket.once('connect', () => (progress.step = 'tls'));
        return (socket as TLSSocket).once('secureConnect', connected);
      })
      .on('response', resolve)
      .on('error', reject)
      .on('close', () => {
        clearTimeout(timeout);
        reject(new Error('closed without an answer'));
      })
      .end(body);
  });
}

async function resultOf(response: IncomingMessage): Promise<DeliveryResult> {
  const { statusCode: status = 0, headers } = response;
  if (status >= 200 && status < 300) {
    return (await readAway(response)) ? { status } : { status, error: 'too_large' };
  }
  response.destroy();
  return {
    status,
    error: status >= 300 && status < 400 ? 'redirect' : 'status',
    retryAfter: headers['retry-after'],
    isUnwanted: headers['webhook-delivery'] === 'abort-message',
  };
}

/** Reads a response and throws it away. Returns false if it is too large. */
async function readAway(response: IncomingMessage): Promise<boolean> {
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > MAX_RESPONSE_BYTES) return false;
  }
  return true;
}

function isTooLarge(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'HPE_HEADER_OVERFLOW';
}
