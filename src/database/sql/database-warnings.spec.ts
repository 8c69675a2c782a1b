import { fileWarnings, serverWarnings } from './database-warnings.js';

const FINE = { flushLog: 1, syncBinlog: 1, binaryLog: 1, now: '1795000000.250000' };
const SENT = 1_795_000_000_000;
const trip = { sent: SENT, received: SENT + 500 };

describe('serverWarnings', () => {
  it.each([
    ['safe settings', FINE, []],
    ['a log that is flushed about once a second', { ...FINE, flushLog: 0 }, ['innodb_flush_log_at_trx_commit']],
    [
      'a log that is written with each commit and flushed later',
      { ...FINE, flushLog: 2 },
      ['innodb_flush_log_at_trx_commit'],
    ],
    [
      'a log that is flushed with each commit, in MariaDB’s other way',
      { ...FINE, flushLog: '3' as unknown as number },
      [],
    ],
    ['a binary log that is not flushed', { ...FINE, syncBinlog: 0 }, ['sync_binlog']],
    ['no binary log', { ...FINE, syncBinlog: 0, binaryLog: 0 }, []],
    ['both', { ...FINE, flushLog: 0, syncBinlog: 0 }, ['innodb_flush_log_at_trx_commit', 'sync_binlog']],
    ['a clock 1 s ahead of the middle of the round trip', { ...FINE, now: 1_795_000_001.25 }, []],
    // The server may have read its clock at the end of the round trip.
    ['a clock that may be 1 s ahead', { ...FINE, now: 1_795_000_001.5 }, []],
    ['a clock more than 1 s ahead', { ...FINE, now: 1_795_000_001.501 }, ['clock']],
    ['a clock more than 1 s behind', { ...FINE, now: 1_794_999_998.999 }, ['clock']],
  ])('%s', (_what, facts, abouts) => {
    expect(serverWarnings(facts, trip).map(({ about }) => about)).toEqual(abouts);
  });

  it('names the setting and gives the difference of the clocks in seconds', () => {
    const [flush, clock] = serverWarnings({ ...FINE, flushLog: 0, now: 1_794_999_990.25 }, trip);
    expect(flush?.text).toMatch(/^innodb_flush_log_at_trx_commit is 0: .*set it to 1$/);
    expect(clock?.text).toContain('-10.0 s');
  });
});

describe('fileWarnings', () => {
  it.each([
    ['FULL', 2, []],
    ['EXTRA', 3, []],
    ['NORMAL', 1, ['synchronous']],
    ['OFF', 0, ['synchronous']],
  ])('%s', (_name, synchronous, abouts) => {
    expect(fileWarnings({ synchronous }).map(({ about }) => about)).toEqual(abouts);
  });
});
