import { QueryFailedError } from 'typeorm';
import { loggedError } from './logged-error.js';

describe('loggedError', () => {
  it('returns name, message and stack of an error', () => {
    const logged = loggedError(new TypeError('x is not a function'));
    expect(logged).toMatchObject({ name: 'TypeError', message: 'x is not a function' });
    expect(logged.stack).toMatch(/^\s+at /);
  });

  it('omits the statement, its parameters and quoted values of a failed query', () => {
    const driver = Object.assign(new Error("Duplicate entry 'it's hush' for key 'ux_slug'"), { code: 'ER_DUP_ENTRY' });
    const text = JSON.stringify(loggedError(new QueryFailedError('INSERT hush INTO t', ['hush'], driver)));
    expect(text).not.toContain('hush');
    expect(text).toContain('ER_DUP_ENTRY');
    expect(text).toContain('Duplicate entry');
  });

  it.each([undefined, null, 'hush', 5])('accepts a thrown %s', (thrown) => {
    expect(loggedError(thrown)).toMatchObject({ message: 'not an error' });
  });
});
