import { MYSQL } from './dialect.mysql.js';

/** An error as the driver passes it on. */
const serverError = (errno: number, message: string) => ({ driverError: Object.assign(new Error(message), { errno }) });

describe('MYSQL', () => {
  it('takes a server that has stopped for want of disk space at COMMIT for a lost connection', () => {
    const error = serverError(
      1598,
      'Binary logging not possible. Message: An error occurred during flush stage of the commit.',
    );
    expect([MYSQL.isLost(error), MYSQL.isUnsent(error), MYSQL.isUnavailable(error)]).toEqual([true, false, true]);
  });

  it('neither repeats work on a full disk nor takes the connection for lost', () => {
    const error = serverError(1021, 'Disk full');
    expect([MYSQL.isLost(error), MYSQL.isRetryable(error), MYSQL.isUnavailable(error)]).toEqual([false, false, true]);
  });
});
