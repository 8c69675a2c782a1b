import { Injectable } from '@nestjs/common';
import { isSafe } from './methods.js';
import type { KalendsRequest } from './request.js';
import { Room } from './room.js';
import type { Stage } from './stage.js';

/**
 * Refuses writes where far more come than can be done, before their bodies, credentials and references are looked at:
 * otherwise the refusals take the time of those that could be done.
 */
@Injectable()
export class RoomStage implements Stage {
  constructor(private readonly room: Room) {}

  handle({ method }: KalendsRequest): boolean {
    if (!isSafe(method)) this.room.check();
    return false;
  }
}
