import { ApiError } from '../../../errors/api-error.js';
import { parseJsonBody } from './json-body.js';

const read = (text: string) => parseJsonBody(Buffer.from(text));
const rejection = (bytes: Buffer | string): ApiError => {
  try {
    parseJsonBody(Buffer.from(bytes as string));
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('The body was accepted.');
};

describe('parseJsonBody', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    [' \r\n{ } ', {}],
    ['null', {}],
    ['\ufeff{"a":"]["}', { a: '][' }],
    ['{"a":"\\"[,"}', { a: '"[,' }],
  ])('reads %s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ['{"a":', 4],
    ['{a:1}', 4],
    ['{"a":1}}', 4],
    ['"abc', 4],
    ['"abc\\', 4],
    [' ', 4],
    ['NaN', 4],
    ['[1]', 6],
    ['"x"', 6],
    ['5', 6],
    ['true', 6],
    ['['.repeat(65) + ']'.repeat(65), 1],
    ['['.repeat(3000), 1],
    ['{"a":'.repeat(65), 1],
  ])('contract ERR-01, ERR-02: rejects %s with code %d', (text, code) => {
    const error = rejection(text);
    expect(error.code).toBe('rest_invalid_json');
    expect(error.extras.data).toMatchObject({ json_error_code: code });
  });

  it('contract ERR-01: rejects invalid UTF-8', () => {
    expect(rejection(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])).extras.data).toMatchObject({ json_error_code: 5 });
  });

  it('accepts a depth of 64', () => {
    expect(read(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`)).toHaveProperty('a');
  });

  it.each([
    ['numbers', '1'],
    ['objects', '{}'],
    ['lists', '[ ]'],
    ['texts', '",,,"'],
  ])('contract GEN-30: accepts 10,000 values and rejects one more: %s', (_, item) => {
    const list = (length: number) => `{"a":[${Array.from({ length }, () => item).join(',')}]}`;
    expect(() => read(list(9998))).not.toThrow();
    expect(rejection(list(9999)).code).toBe('rest_body_too_large');
  });

  it('a member named __proto__ does not change the prototype', () => {
    const body = read('{"__proto__":{"x":1}}');
    expect(({} as { x?: unknown }).x).toBeUndefined();
    expect(Object.keys(body)).toEqual(['__proto__']);
  });
});
