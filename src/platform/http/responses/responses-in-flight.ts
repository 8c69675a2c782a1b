import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../../config/environment.js';
import { unavailable } from '../../../errors/api-error.js';
import { ByteBudget } from '../../limits/byte-budget.js';
import { Metrics } from '../../observability/metrics.js';
import { isSafe } from '../../server/http-method.js';
import { onClosed } from '../on-closed.js';

/** A request and the reservation of its response. */
interface RequestWithReservation {
  readonly method: string;
  /** Undefined while nothing is reserved. */
  reservation?: ResponseReservation;
}

/** Limits the bytes of large responses that wait for clients, over all requests of a process (contract 5.6). */
@Injectable()
export class ResponsesInFlight {
  /** Whether clients that accept gzip get it (contract 5.1). */
  readonly compresses: boolean;
  /** How long a client may take to receive one chunk, in milliseconds. */
  readonly chunkTimeoutMs: number;
  private readonly budget: ByteBudget;

  constructor(
    private readonly environment: Environment,
    metrics: Metrics,
  ) {
    this.compresses = environment.COMPRESSION;
    this.chunkTimeoutMs = environment.REQUEST_TIMEOUT * 1000;
    this.budget = new ByteBudget(environment.MAX_ANSWERS_IN_FLIGHT_BYTES);
    metrics.gauge({
      name: 'kalends_answers_in_flight_bytes',
      help: 'Bytes of large answers that wait for clients; at MAX_ANSWERS_IN_FLIGHT_BYTES further ones are answered 503',
      read: () => this.reservedBytes,
    });
  }

  /** Reserved bytes of all responses. */
  get reservedBytes(): number {
    return this.budget.reservedBytes;
  }

  /**
   * Reserves bytes for a response until it is closed. Throws 503 if the limit is reached. Writes are exempt: they are
   * committed by then and must be answered, and write-capacity.stage.ts limits their number.
   */
  reserve(request: RequestWithReservation, response: Response, bytes: number): void {
    if (!isSafe(request.method)) return;
    if (request.reservation === undefined) {
      const reservation = new ResponseReservation(this.budget, this.environment.MAX_ANSWERS_IN_FLIGHT_BYTES);
      onClosed(response, () => reservation.close());
      request.reservation = reservation;
    }
    request.reservation.resize(bytes);
  }
}

/** The reservation of one response: bytes that are rendered and not yet sent. */
export class ResponseReservation {
  private reserved = 0;
  private isClosed = false;

  constructor(
    private readonly budget: ByteBudget,
    private readonly maxBytes: number,
  ) {}

  /**
   * Changes the reservation to this many bytes. Throws 503 if the limit is reached. A response larger than the limit
   * reserves the whole limit, so that it can be sent alone.
   */
  resize(bytes: number): void {
    if (this.isClosed) return;
    const wanted = Math.min(bytes, this.maxBytes);
    if (wanted <= this.reserved) this.budget.release(this.reserved - wanted);
    else if (!this.budget.reserve(wanted - this.reserved)) throw unavailable();
    this.reserved = wanted;
  }

  close(): void {
    this.resize(0);
    this.isClosed = true;
  }
}
