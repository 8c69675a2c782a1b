import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { clientNetwork } from '../../limits/client-network.js';
import { Environment } from '../../../config/environment.js';
import { Metrics } from '../../observability/metrics.js';
import { BodyReservation } from './body-reservation.js';
import { ByteBudget } from '../../limits/byte-budget.js';
import { onClosed } from '../on-closed.js';
import type { KalendsRequest } from '../request.js';

/** Anonymous requests together may hold 1/2 of the limit, and one client 1/8, so that neither blocks the others. */
const ANONYMOUS_DIVISOR = 2;
const CLIENT_DIVISOR = 8;

/** A client with open requests that have bodies. Removed when the last of them is closed. */
interface Client {
  readonly budget: ByteBudget;
  requests: number;
}

/** Limits the bytes of request bodies in memory: all, those of anonymous requests, and per client (contract 5.6). */
@Injectable()
export class BodiesInFlight {
  private readonly total: ByteBudget;
  private readonly anonymous: ByteBudget;
  private readonly clients = new Map<string, Client>();

  constructor(
    private readonly environment: Environment,
    metrics: Metrics,
  ) {
    this.total = this.newBudget(1);
    this.anonymous = this.newBudget(ANONYMOUS_DIVISOR);
    metrics.gauge({
      name: 'kalends_bodies_in_flight_bytes',
      help: 'Bytes of request bodies that are held; at MAX_BODIES_IN_FLIGHT_BYTES further ones are answered 503',
      read: () => this.reservedBytes,
    });
  }

  /** Reserved bytes of all requests. */
  get reservedBytes(): number {
    return this.total.reservedBytes;
  }

  /** Returns the reservation for the body of a request. It is released when the response is closed. */
  reserveFor({ clientAddress, headers }: KalendsRequest, response: Response): BodyReservation {
    const network = clientNetwork(clientAddress);
    const client = this.clients.get(network) ?? { budget: this.newBudget(CLIENT_DIVISOR), requests: 0 };
    this.clients.set(network, client);
    client.requests += 1;
    const isAnonymous = headers.authorization === undefined;
    const reservation = new BodyReservation([client.budget, ...(isAnonymous ? [this.anonymous] : []), this.total]);
    onClosed(response, () => {
      reservation.close();
      client.requests -= 1;
      if (client.requests === 0) this.clients.delete(network);
    });
    return reservation;
  }

  /** At least the largest body, compressed and decompressed, so that an accepted size can always succeed. */
  private newBudget(divisor: number): ByteBudget {
    const { MAX_BODIES_IN_FLIGHT_BYTES: total, MAX_BODY_BYTES: maxBody } = this.environment;
    return new ByteBudget(Math.max(Math.floor(total / divisor), 2 * maxBody));
  }
}
