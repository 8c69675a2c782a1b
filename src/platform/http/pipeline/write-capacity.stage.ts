import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { TooManyWaiting } from '../../../database/connection/unavailable.js';
import { Database } from '../../../database/database.js';
import { isSafe } from '../../server/http-method.js';
import { onClosed } from '../on-closed.js';
import type { KalendsRequest } from '../request.js';
import type { Stage } from './stage.js';

/** More writes on their way at once would only wait longer, and look up meanwhile what they will not get to write. */
const MOST_WRITES = 200;

/** The room for writes that are on their way. */
@Injectable()
export class WriteCapacity {
  private writes = 0;

  constructor(private readonly database: Database) {}

  /** Refuses a write for which there is no room, or which would begin too late. */
  check(): void {
    if (this.writes >= MOST_WRITES) throw new TooManyWaiting();
    this.database.mustHaveWriteCapacity();
  }

  /** The write takes its place until it is answered. */
  enter(response: Response): void {
    this.check();
    this.writes += 1;
    onClosed(response, () => (this.writes -= 1));
  }
}

/**
 * Refuses writes where far more come than can be done, before their bodies, credentials and references are looked at:
 * otherwise the refusals take the time of those that could be done.
 */
@Injectable()
export class WriteOverloadStage implements Stage {
  constructor(private readonly room: WriteCapacity) {}

  handle({ method }: KalendsRequest): boolean {
    if (!isSafe(method)) this.room.check();
    return false;
  }
}

/** Writes take their place when all of them has come: who sends a body slowly keeps nobody out. */
@Injectable()
export class WriteEntryStage implements Stage {
  constructor(private readonly room: WriteCapacity) {}

  handle({ method }: KalendsRequest, response: Response): boolean {
    if (!isSafe(method)) this.room.enter(response);
    return false;
  }
}
