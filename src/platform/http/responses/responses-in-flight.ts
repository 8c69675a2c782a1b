import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../../config/environment.js';
import { unavailable } from '../../../errors/api-error.js';
import { ByteBudget } from '../../limits/byte-budget.js';
import { Metrics } from '../../observability/metrics.js';
import { isSafe } from '../../server/http-method.js';
import { onClosed } from '../on-closed.js';

/** A request, as far as its answer takes room. */
interface Held {
  readonly method: string;
  /** Undefined as long as it takes none. */
  share?: Share;
}

/** What all answers of a process share on their way out. */
@Injectable()
export class ResponsesInFlight {
  /** Whether clients that take gzip get it (contract 5.1). */
  readonly compresses: boolean;
  /** How long a client may take for a piece of an answer, in milliseconds. */
  readonly patience: number;
  private readonly budget: ByteBudget;

  constructor(
    private readonly environment: Environment,
    metrics: Metrics,
  ) {
    this.compresses = environment.COMPRESSION;
    this.patience = environment.REQUEST_TIMEOUT * 1000;
    this.budget = new ByteBudget(environment.MAX_ANSWERS_IN_FLIGHT_BYTES);
    metrics.gauge({
      name: 'kalends_answers_in_flight_bytes',
      help: 'Bytes of large answers that wait for clients; at MAX_ANSWERS_IN_FLIGHT_BYTES further ones are answered 503',
      read: () => this.held,
    });
  }

  /** How many bytes are held now. */
  get held(): number {
    return this.budget.held;
  }

  /**
   * Has an answer hold so many bytes from now on, until its response is closed; 503 where there is no room. A write has been
   * carried out by then: it is answered in any case, and how many are under way is bounded elsewhere (write-capacity.stage.ts).
   */
  hold(request: Held, response: Response, bytes: number): void {
    if (!isSafe(request.method)) return;
    if (request.share === undefined) {
      const share = new Share(this.budget, this.environment.MAX_ANSWERS_IN_FLIGHT_BYTES);
      onClosed(response, () => share.close());
      request.share = share;
    }
    request.share.resize(bytes);
  }
}

/** How many bytes an answer holds: made, and not handed over yet. */
export class Share {
  private held = 0;
  private isClosed = false;

  constructor(
    private readonly budget: ByteBudget,
    private readonly most: number,
  ) {}

  /**
   * Holds so many from now on; 503 where there is no room for more. An answer that is larger than all the room takes all of
   * it: alone it passes, since waiting would not make it smaller.
   */
  resize(bytes: number): void {
    if (this.isClosed) return;
    const wanted = Math.min(bytes, this.most);
    if (wanted <= this.held) this.budget.release(this.held - wanted);
    else if (!this.budget.reserve(wanted - this.held)) throw unavailable();
    this.held = wanted;
  }

  close(): void {
    this.resize(0);
    this.isClosed = true;
  }
}
