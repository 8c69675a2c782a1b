import { Injectable } from '@nestjs/common';
import { mayEdit } from '../kernel/visibility.js';
import { PasswordAttempts } from '../platform/auth/password-attempts.js';
import { apiError } from '../platform/errors/api-error.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { EventReadRow } from './event.query.js';

type Protected = Pick<EventReadRow, 'id' | 'password_hash' | 'status' | 'trashed_from' | 'public_from' | 'author_id'>;

/** Whether a list hides what is behind the password of an event (contract 7.3, Passwords). */
export function isBlanked(row: Protected, { caller }: RequestContext): boolean {
  return row.password_hash !== null && !mayEdit(row, caller);
}

/** Opens protected events to those who know the password; wrong ones are limited (contract 5.6). */
@Injectable()
export class EventProtection {
  constructor(private readonly attempts: PasswordAttempts) {}

  /** `password`: undefined where none was sent, or where the route takes none. */
  async mustOpen(row: Protected, password: string | undefined, context: RequestContext): Promise<void> {
    if (!isBlanked(row, context) || row.password_hash === null) return;
    if (password === undefined) throw apiError('event-password-protected');
    const { id: eventId, password_hash: stored } = row;
    const attempt = { eventId, stored, password, clientAddress: context.clientAddress };
    if (!(await this.attempts.isRight(attempt))) throw apiError('event-password-protected');
  }
}
