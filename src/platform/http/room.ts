import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Database } from '../../database/database.js';
import { TooManyWaiting } from '../../database/turns.js';
import { onClosed } from './on-closed.js';

/** More writes on their way at once would only wait longer, and look up meanwhile what they will not get to write. */
const MOST_WRITES = 200;

/** The room for writes that are on their way. */
@Injectable()
export class Room {
  private writes = 0;

  constructor(private readonly database: Database) {}

  /** Refuses a write for which there is no room, or which would begin too late. */
  check(): void {
    if (this.writes >= MOST_WRITES) throw new TooManyWaiting();
    this.database.mustHaveRoom();
  }

  /** The write takes its place until it is answered. */
  enter(response: Response): void {
    this.check();
    this.writes += 1;
    onClosed(response, () => (this.writes -= 1));
  }
}
