/** A busy machine is no reason to answer 503, where time is not what a test is about. */
export const PATIENT = { DATABASE_READ_TIMEOUT: '60', DATABASE_WRITE_TIMEOUT: '60' };

/** Where it is: the defaults. */
export const IN_TIME = { DATABASE_READ_TIMEOUT: '3', DATABASE_WRITE_TIMEOUT: '5' };
