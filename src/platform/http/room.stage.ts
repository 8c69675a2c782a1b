import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { KalendsRequest } from './request.js';
import type { Stage } from './stage.js';

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Refuses writes where far more come than can be done, before their bodies, credentials and references are looked at:
 * otherwise the refusals take the time of those that could be done.
 */
@Injectable()
export class RoomStage implements Stage {
  constructor(private readonly database: Database) {}

  handle({ method }: KalendsRequest): boolean {
    if (WRITES.includes(method)) this.database.mustHaveRoom();
    return false;
  }
}
