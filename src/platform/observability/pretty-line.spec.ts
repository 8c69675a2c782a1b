import { prettyLine } from './pretty-line.js';

const TIME = '2026-11-20T08:39:05.123Z';
const line = (fields: object) => prettyLine(JSON.stringify({ level: 30, time: TIME, ...fields }));

describe('prettyLine', () => {
  it('shows method, URL, status and time of a request', () => {
    const fields = { requestId: 'x', clientAddress: '::1', method: 'GET', url: '/events?a=1', status: 200, ms: 4.1 };
    expect(line({ ...fields, msg: 'request' })).toBe('08:39:05  GET /events?a=1  200  4.1 ms\n');
  });

  it('shows the level unless it is info, the worker, the message and the fields', () => {
    expect(line({ msg: 'stopping' })).toBe('08:39:05  stopping\n');
    expect(line({ level: 40, worker: 2, msg: 'a worker ended', code: 1, signal: null })).toBe(
      '08:39:05  worker 2  warning  a worker ended  code=1  signal=null\n',
    );
  });

  it('shows an error with its stack', () => {
    const error = { name: 'TypeError', code: 'E_X', message: 'broken', stack: '    at one\n    at two' };
    expect(line({ level: 50, msg: 'uncaughtException', error })).toBe(
      '08:39:05  error  uncaughtException\n  TypeError E_X broken\n    at one\n    at two\n',
    );
  });

  it('escapes control characters', () => {
    expect(line({ method: 'GET', url: '/\u001b[2J\n\u009b\u2028', status: 404, ms: 1, msg: 'request' })).toBe(
      '08:39:05  GET /\\u001b[2J\\u000a\\u009b\\u2028  404  1 ms\n',
    );
  });
});
