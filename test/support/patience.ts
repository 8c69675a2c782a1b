/** A busy machine is no reason to answer 503, where time is not what a test is about. */
export const PATIENT = { DATABASE_READ_TIMEOUT: '60', DATABASE_WRITE_TIMEOUT: '60' };
