import { QueryFailedError } from 'typeorm';

/** What the log says of an error that nobody foresaw. */
export interface LoggedError {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  readonly stack: string;
}

/**
 * An error without the data it happened to: TypeORM adds the statement and its parameters to a failed query, and the
 * engines quote values in their messages.
 */
export function loggedError(thrown: unknown): LoggedError {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: 'not an error', stack: '' };
  const { code } = thrown as { code?: unknown };
  return {
    name: thrown.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: thrown instanceof QueryFailedError ? withoutValues(thrown.message) : thrown.message,
    stack: calls(thrown.stack ?? ''),
  };
}

/** `Duplicate entry 'ann@example.com' for key 'ux'` keeps its words only. */
function withoutValues(message: string): string {
  return message.replace(/'[^]*'|"[^]*"|`[^]*`/g, '…');
}

/** The stack repeats the message above the calls. */
function calls(stack: string): string {
  const lines = stack.split('\n');
  return lines.filter((line) => /^\s+at /.test(line)).join('\n');
}
