const FLUSH_LOG = 'innodb_flush_log_at_trx_commit';
/** With these every commit is flushed; MySQL does not know 3. */
const FLUSHED = [1, 3];
const SYNC_BINLOG = 'sync_binlog';

/** What a server says of itself, as `Dialect.selfReport` reads it: numbers may come as text. */
export interface ServerFacts {
  readonly flushLog: number;
  readonly syncBinlog: number;
  readonly binaryLog: number;
  /** Its clock, in seconds since 1970. */
  readonly now: number | string;
}

/** What an embedded database says of its connections. */
export interface FileFacts {
  /** 1: NORMAL, 2: FULL. */
  readonly synchronous: number;
}

/** Why the database keeps less than this service promises. */
export interface DatabaseWarning {
  /** The database's setting, or `clock`. */
  readonly about: string;
  readonly text: string;
}

/** When this process asked and when it was answered, in milliseconds since 1970. */
export interface RoundTrip {
  readonly sent: number;
  readonly received: number;
}

/** In milliseconds; instances and the database agree on times to the second. */
const MOST_DIFFERENCE = 1_000;

export function fileWarnings({ synchronous }: FileFacts): DatabaseWarning[] {
  if (synchronous >= 2) return [];
  const text = 'SQLITE_SYNCHRONOUS is normal: what was answered in the last moments may be lost in a power cut';
  return [{ about: 'synchronous', text }];
}

export function serverWarnings(
  { flushLog, syncBinlog, binaryLog, now }: ServerFacts,
  { sent, received }: RoundTrip,
): DatabaseWarning[] {
  const doubts: DatabaseWarning[] = [];
  const lost = 'what was answered may be lost when the database server or its machine fails';
  if (!FLUSHED.includes(Number(flushLog)))
    doubts.push({ about: FLUSH_LOG, text: `${FLUSH_LOG} is ${flushLog}: ${lost}; set it to 1` });
  if (Number(binaryLog) === 1 && Number(syncBinlog) === 0) {
    doubts.push({ about: SYNC_BINLOG, text: `${SYNC_BINLOG} is 0: ${lost}, or be missing on replicas; set it to 1` });
  }
  const difference = Number(now) * 1000 - (sent + received) / 2;
  // The answer was made at any time of the round trip.
  if (Math.abs(difference) - (received - sent) / 2 > MOST_DIFFERENCE) {
    const seconds = (difference / 1000).toFixed(1);
    doubts.push({
      about: 'clock',
      text: `the clock of the database is ${seconds} s ahead of this process: set both by NTP`,
    });
  }
  return doubts;
}
