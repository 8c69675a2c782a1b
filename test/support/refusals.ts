import type { Reply } from './client.js';

/** Expects a 400 that names these parameters, each with its text and its detail (contract section 6). */
export function expectInvalid({ status, body }: Reply, ...names: string[]): void {
  expect([status, body.code, body.message]).toEqual([
    400,
    'rest_invalid_param',
    `Invalid parameter(s): ${names.join(', ')}`,
  ]);
  expect(body.data.status).toBe(400);
  expect(Object.keys(body.data.params as object)).toEqual(names);
  expect(Object.keys(body.data.details as object)).toEqual(names);
  for (const name of names) {
    const message = body.data.params[name];
    expect(message.startsWith(name)).toBe(true);
    expect(body.data.details[name]).toEqual({ code: expect.stringMatching(/^rest_/), message, data: null });
  }
}

/** Expects `rest_forbidden`: 401 for anonymous callers, 403 for known ones. */
export function expectForbidden({ status, body, headers }: Reply, expected: 401 | 403): void {
  expect([status, body]).toEqual([
    expected,
    { code: 'rest_forbidden', message: 'Sorry, you are not allowed to do that.', data: { status: expected } },
  ]);
  expect(headers['www-authenticate']).toBe(expected === 401 ? 'Bearer realm="calendar"' : undefined);
}
