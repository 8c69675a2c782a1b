import { QueryFailedError } from 'typeorm';
import { loggedError } from './logged-error.js';

describe('loggedError', () => {
  it('tells what happened and where', () => {
    const logged = loggedError(new TypeError('x is not a function'));
    expect(logged).toMatchObject({ name: 'TypeError', message: 'x is not a function' });
    expect(logged.stack).toMatch(/^\s+at /);
  });

  it('keeps the statement, its parameters and quoted values of a failed query to itself', () => {
    const driver = Object.assign(new Error("Duplicate entry 'it's hush' for key 'ux_slug'"), { code: 'ER_DUP_ENTRY' });
    const text = JSON.stringify(loggedError(new QueryFailedError('INSERT hush INTO t', ['hush'], driver)));
    expect(text).not.toContain('hush');
    expect(text).toContain('ER_DUP_ENTRY');
    expect(text).toContain('Duplicate entry');
  });

  it.each([undefined, null, 'hush', 5])('bears %s being thrown', (thrown) => {
    expect(loggedError(thrown)).toMatchObject({ message: 'not an error' });
  });
});
