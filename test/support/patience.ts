/** Long timeouts, so that a busy machine causes no 503 in tests that are not about timeouts. */
export const PATIENT = { DATABASE_READ_TIMEOUT: '60', DATABASE_WRITE_TIMEOUT: '60' };

/** The default timeouts, for tests about timeouts. */
export const IN_TIME = { DATABASE_READ_TIMEOUT: '3', DATABASE_WRITE_TIMEOUT: '5' };
