import { isDeepStrictEqual } from 'node:util';
import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import type { Participant } from '../../../database/connection/participant.js';
import type { Transaction } from '../../../database/connection/transaction.js';
import { isReply } from '../reply.js';
import type { Claim, IdempotencyKeys, KeyedRequest } from './idempotency-keys.js';

/** The response of an ordinary route, as it is stored. */
export interface StoredResponse {
  readonly status: number;
  /** The headers that the handler has set. */
  readonly headers: Readonly<Record<string, number | string | readonly string[]>>;
  /** Absent for an empty body. */
  readonly body?: object | string | number | boolean | null;
}

/**
 * A request with an Idempotency-Key on an ordinary route. Nothing happens until the handler begins a transaction by
 * `Database.inTransaction`. Then the request claims the key, and the transaction notes that the write is carried out, so
 * that a repetition never writes again. The response is stored when it is sent, because only then it is known.
 */
export class KeyedWrite implements Participant {
  private claiming: Promise<Claim> | undefined;
  /** Transactions that run at the same time. */
  private open = 0;
  private isCommitted = false;
  /** The headers of the stages, which a replay gets anew. */
  private readonly headersBefore: ReturnType<Response['getHeaders']>;

  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly keyed: KeyedRequest,
    private readonly response: Response,
  ) {
    this.headersBefore = response.getHeaders();
  }

  async beforeBegin(): Promise<void> {
    this.claiming ??= this.keys.claim(this.keyed);
    try {
      await this.claiming;
    } catch (error) {
      this.claiming = undefined;
      throw error;
    }
    this.open += 1;
  }

  async beforeCommit(tx: Transaction): Promise<void> {
    await this.keys.noteCommit(tx, await (this.claiming as Promise<Claim>));
  }

  afterCommit(): void {
    this.open -= 1;
    this.isCommitted = true;
  }

  /** Releases the key, so that a repetition is carried out. */
  async afterFailure(reason: unknown): Promise<void> {
    this.open -= 1;
    if (this.isCommitted || this.open > 0 || this.claiming === undefined) return;
    const { claiming } = this;
    this.claiming = undefined;
    await this.keys.release(await claiming, reason);
  }

  /** Stores what a handler returned, before it is sent, if the request has written. Streams and pages are not stored. */
  async keep(result: unknown): Promise<void> {
    const stored = this.storedOf(result);
    if (!this.isCommitted || this.claiming === undefined || stored === undefined) return;
    await this.keys.storeLater(await this.claiming, stored);
  }

  private storedOf(result: unknown): StoredResponse | undefined {
    const { statusCode } = this.response;
    if (result instanceof StreamableFile || result instanceof Error) return undefined;
    if (!isReply(result)) {
      return { status: statusCode, headers: this.ownHeaders, body: result as StoredResponse['body'] };
    }
    const { status = 200, headers, body, html, redirect } = result;
    return (html ?? redirect) ? undefined : { status, headers: { ...this.ownHeaders, ...headers }, body };
  }

  /** The headers that the handler has set. */
  private get ownHeaders(): StoredResponse['headers'] {
    const own = Object.entries(this.response.getHeaders()).filter(
      ([name, value]) => !isDeepStrictEqual(value, this.headersBefore[name]),
    );
    return Object.fromEntries(own) as StoredResponse['headers'];
  }
}
