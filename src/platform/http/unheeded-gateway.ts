import type { Log } from '../observability/log.js';

/** Anybody can send the header: it must not fill the log. In milliseconds. */
const BETWEEN_WARNINGS = 3_600_000;

/** Tells the operator of a gateway that TRUST_PROXY does not name: all of its clients count as one. */
export class UnheededGateway {
  private quietUntil = -Infinity;

  constructor(private readonly log: Pick<Log, 'warn'>) {}

  /** `peer`: who has sent X-Forwarded-For without being believed. */
  note(peer: string): void {
    if (performance.now() < this.quietUntil) return;
    this.quietUntil = performance.now() + BETWEEN_WARNINGS;
    const msg =
      `X-Forwarded-For of ${peer} is not believed: TRUST_PROXY does not name it. If it is your gateway, its clients ` +
      'are all counted as one. Told once an hour.';
    this.log.warn({ peer, msg });
  }
}
