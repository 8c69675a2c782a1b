import { type Agent, request } from 'node:http';
import { Contract } from './contract.js';
import { targetOf, VIOLATIONS } from './proxy.js';

/** An HTTP response as it was received. */
export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
  /** The parsed JSON. */
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into bodies of every shape
}

export interface Sent {
  readonly method?: string;
  /** Bearer token. */
  readonly token?: string;
  readonly headers?: Record<string, string>;
  /** Sent as JSON unless it is text or bytes. */
  readonly body?: unknown;
}

/** Differences from the default client. */
interface Options {
  /** Returns the OpenAPI document. By default the client reads `/doc` of the service. */
  readonly document?: () => Promise<object>;
  /** Whether the service has modules of the test, and so a document of its own. */
  readonly isExtended?: boolean;
  /** Keeps connections open. By default every request opens a new connection. */
  readonly agent?: Agent;
}

/** One contract for a test file, because all its services have the same OpenAPI document, unless they are extended. */
let contract: Contract | undefined;

/**
 * An HTTP client that sends paths unchanged; other clients normalise them. A response that does not match the OpenAPI
 * document of the service fails the test.
 */
export class Client {
  private ownContract: Contract | undefined;

  constructor(
    readonly port: number,
    readonly mount: string,
    private readonly options: Options = {},
  ) {}

  get(path: string, token?: string): Promise<Reply> {
    return this.send(path, { token });
  }

  post(path: string, body: unknown, token?: string): Promise<Reply> {
    return this.send(path, { method: 'POST', body, token });
  }

  put(path: string, body: unknown, token?: string): Promise<Reply> {
    return this.send(path, { method: 'PUT', body, token });
  }

  delete(path: string, token?: string): Promise<Reply> {
    return this.send(path, { method: 'DELETE', token });
  }

  /** Sends a request to a path below the mount. */
  send(path: string, sent: Sent = {}): Promise<Reply> {
    return this.raw(this.mount + path, sent);
  }

  /** Sends a request to any path of the server, with the mount if it has one. */
  async raw(path: string, sent: Sent = {}): Promise<Reply> {
    const reply = await this.exchange(path, sent);
    if (this.options.isExtended === true) this.ownContract ??= await this.readContract();
    else contract ??= await this.readContract();
    (this.ownContract ?? contract)!.check(path, sent, reply);
    return reply;
  }

  private async readContract(): Promise<Contract> {
    return new Contract((await this.options.document?.()) ?? (await this.exchange(`${this.mount}/doc`, {})).body);
  }

  private async exchange(path: string, { method = 'GET', token, headers = {}, body }: Sent): Promise<Reply> {
    const isJson = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body);
    const bytes =
      body === undefined
        ? undefined
        : Buffer.isBuffer(body)
          ? body
          : Buffer.from(isJson ? JSON.stringify(body) : (body as string));
    const all: Record<string, string> = {
      ...(bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    };
    const target = await targetOf(
      { ...this.options, port: this.port, mount: this.mount },
      { method, path, headers: all, bytes },
    );
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { ...target, host: '127.0.0.1', method, headers: all, agent: this.options.agent ?? false },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const isAnswerJson = text !== '' && String(incoming.headers['content-type']).startsWith('application/json');
            delete incoming.headers[VIOLATIONS];
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers as Record<string, string>,
              text,
              body: isAnswerJson ? JSON.parse(text) : undefined,
            });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(bytes);
    });
  }
}
