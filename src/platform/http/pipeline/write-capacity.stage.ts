import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { TooManyWaiting } from '../../../database/connection/unavailable.js';
import { Database } from '../../../database/database.js';
import { isSafe } from '../../server/http-method.js';
import { onClosed } from '../on-closed.js';
import type { KalendsRequest } from '../request.js';
import type { Stage } from './stage.js';

/** More concurrent writes would only wait longer, and load the database with queries before they time out. */
const MAX_WRITES = 200;

/** Limits the concurrent writes of a process. */
@Injectable()
export class WriteCapacity {
  private writes = 0;

  constructor(private readonly database: Database) {}

  /** Throws `TooManyWaiting` if there are too many writes, or if one would begin too late. */
  check(): void {
    if (this.writes >= MAX_WRITES) throw new TooManyWaiting();
    this.database.mustHaveWriteCapacity();
  }

  /** Counts a write until its response is closed. */
  reserve(response: Response): void {
    this.check();
    this.writes += 1;
    onClosed(response, () => (this.writes -= 1));
  }
}

/**
 * Rejects writes early under overload, before bodies, credentials and references are read, so that rejecting stays
 * cheap.
 */
@Injectable()
export class WriteOverloadStage implements Stage {
  constructor(private readonly capacity: WriteCapacity) {}

  handle({ method }: KalendsRequest): boolean {
    if (!isSafe(method)) this.capacity.check();
    return false;
  }
}

/** Counts a write only after its body has arrived, so that slow clients do not use up the capacity. */
@Injectable()
export class WriteCapacityStage implements Stage {
  constructor(private readonly capacity: WriteCapacity) {}

  handle({ method }: KalendsRequest, response: Response): boolean {
    if (!isSafe(method)) this.capacity.reserve(response);
    return false;
  }
}
