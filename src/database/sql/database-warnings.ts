const FLUSH_LOG = 'innodb_flush_log_at_trx_commit';
/** Values that flush every commit. Only MariaDB has 3. */
const FLUSHED = [1, 3];
const SYNC_BINLOG = 'sync_binlog';

/** Settings and clock of a server, read by `Dialect.warningFacts`. Drivers may return numbers as text. */
export interface ServerFacts {
  readonly flushLog: number;
  readonly syncBinlog: number;
  readonly binaryLog: number;
  /** The server's clock, in seconds since 1970. */
  readonly now: number | string;
}

/** Settings of a connection to the embedded database. */
export interface FileFacts {
  /** SQLite's `PRAGMA synchronous`. 1: NORMAL, 2: FULL. */
  readonly synchronous: number;
}

/** A reason why the database may lose data or give wrong times. */
export interface DatabaseWarning {
  /** The database's setting, or `clock`. */
  readonly about: string;
  readonly text: string;
}

/** When this process sent the query and received the result, in milliseconds since 1970. */
export interface RoundTrip {
  readonly sent: number;
  readonly received: number;
}

/** One second, because stored times have whole seconds. */
const MAX_CLOCK_DIFFERENCE_MS = 1_000;

export function fileWarnings({ synchronous }: FileFacts): DatabaseWarning[] {
  if (synchronous >= 2) return [];
  const text = 'SQLITE_SYNCHRONOUS is normal: the last commits may be lost in a power cut';
  return [{ about: 'synchronous', text }];
}

export function serverWarnings(
  { flushLog, syncBinlog, binaryLog, now }: ServerFacts,
  { sent, received }: RoundTrip,
): DatabaseWarning[] {
  const warnings: DatabaseWarning[] = [];
  const lost = 'committed data may be lost when the database server or its machine fails';
  if (!FLUSHED.includes(Number(flushLog)))
    warnings.push({ about: FLUSH_LOG, text: `${FLUSH_LOG} is ${flushLog}: ${lost}; set it to 1` });
  if (Number(binaryLog) === 1 && Number(syncBinlog) === 0) {
    warnings.push({ about: SYNC_BINLOG, text: `${SYNC_BINLOG} is 0: ${lost}, or be missing on replicas; set it to 1` });
  }
  const difference = Number(now) * 1000 - (sent + received) / 2;
  // The server read its clock at an unknown time during the round trip.
  if (Math.abs(difference) - (received - sent) / 2 > MAX_CLOCK_DIFFERENCE_MS) {
    const seconds = (difference / 1000).toFixed(1);
    warnings.push({
      about: 'clock',
      text: `the clock of the database is ${seconds} s ahead of this process: set both by NTP`,
    });
  }
  return warnings;
}
