import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { clientNetwork } from '../../limits/client-network.js';
import { Environment } from '../../../config/environment.js';
import { Metrics } from '../../observability/metrics.js';
import { BodyReservation } from './body-reservation.js';
import { ByteBudget } from '../../limits/byte-budget.js';
import { onClosed } from '../on-closed.js';
import type { KalendsRequest } from '../request.js';

/** The parts of all that strangers, and one client, may hold. */
const PART_OF_ANONYMOUS = 2;
const PART_OF_CLIENT = 8;

/** A client whose requests have bodies. Its budget lasts as long as they do, also while none of them holds anything. */
interface Client {
  readonly budget: ByteBudget;
  requests: number;
}

/** The bodies of requests that a process holds at one time, in bytes (contract 5.6). */
@Injectable()
export class BodiesInFlight {
  private readonly all: ByteBudget;
  private readonly anonymous: ByteBudget;
  private readonly clients = new Map<string, Client>();

  constructor(
    private readonly environment: Environment,
    metrics: Metrics,
  ) {
    this.all = this.budget(1);
    this.anonymous = this.budget(PART_OF_ANONYMOUS);
    metrics.gauge({
      name: 'kalends_bodies_in_flight_bytes',
      help: 'Bytes of request bodies that are held; at MAX_BODIES_IN_FLIGHT_BYTES further ones are answered 503',
      read: () => this.held,
    });
  }

  /** How many bytes are held now. */
  get held(): number {
    return this.all.held;
  }

  /** The room for the body of a request: what it takes is given back when the request has been answered. */
  roomFor({ clientAddress, headers }: KalendsRequest, response: Response): BodyReservation {
    const network = clientNetwork(clientAddress);
    const client = this.clients.get(network) ?? { budget: this.budget(PART_OF_CLIENT), requests: 0 };
    this.clients.set(network, client);
    client.requests += 1;
    const isStranger = headers.authorization === undefined;
    const room = new BodyReservation([client.budget, ...(isStranger ? [this.anonymous] : []), this.all]);
    onClosed(response, () => {
      room.leave();
      client.requests -= 1;
      if (client.requests === 0) this.clients.delete(network);
    });
    return room;
  }

  /** No part is smaller than the largest body, packed and unpacked: it would be refused for ever. */
  private budget(part: number): ByteBudget {
    const { MAX_BODIES_IN_FLIGHT_BYTES: most, MAX_BODY_BYTES: largest } = this.environment;
    return new ByteBudget(Math.max(Math.floor(most / part), 2 * largest));
  }
}
