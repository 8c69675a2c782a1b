import { QueryFailedError } from 'typeorm';

/** The log's form of an unexpected error. */
export interface LoggedError {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  readonly stack: string;
}

/**
 * Returns an error without user data. TypeORM adds the statement and its parameters to a failed query, and database
 * engines quote values in their messages.
 */
export function loggedError(thrown: unknown): LoggedError {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: 'not an error', stack: '' };
  const { code } = thrown as { code?: unknown };
  return {
    name: thrown.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: thrown instanceof QueryFailedError ? withoutValues(thrown.message) : thrown.message,
    stack: stackFrames(thrown.stack ?? ''),
  };
}

/** Removes quoted values: `Duplicate entry 'ann@example.com' for key 'ux'`. */
function withoutValues(message: string): string {
  return message.replace(/'[^]*'|"[^]*"|`[^]*`/g, '…');
}

/** Removes the message, which the stack repeats above its frames. */
function stackFrames(stack: string): string {
  const lines = stack.split('\n');
  return lines.filter((line) => /^\s+at /.test(line)).join('\n');
}
