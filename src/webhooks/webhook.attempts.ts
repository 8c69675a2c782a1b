/** One attempt to send a message, as it is stored and shown (webhooks section 1). */
export interface Attempt {
  readonly at_utc: string;
  /** The status of the response. 0: there was none. */
  readonly status: number;
  readonly milliseconds: number;
  /** '' after a success. */
  readonly error: string;
}

const MAX_ATTEMPTS = 12;

/** Returns the stored form of a message's attempts, newest first. */
export function withAttempt(stored: string, attempt: Attempt): string {
  return JSON.stringify([attempt, ...attemptsOf(stored)].slice(0, MAX_ATTEMPTS));
}

export function attemptsOf(stored: string): Attempt[] {
  return JSON.parse(stored) as Attempt[];
}
