import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { isSafe } from './methods.js';
import type { KalendsRequest } from './request.js';
import { Room } from './room.js';
import type { Stage } from './stage.js';

/** Writes take their place when all of them has come: who sends a body slowly keeps nobody out. */
@Injectable()
export class EntryStage implements Stage {
  constructor(private readonly room: Room) {}

  handle({ method }: KalendsRequest, response: Response): boolean {
    if (!isSafe(method)) this.room.enter(response);
    return false;
  }
}
