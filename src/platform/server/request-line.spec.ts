import { METHODS } from 'node:http';
import { requestStart, senderIn } from './request-line.js';

const OURS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

describe('requestStart', () => {
  it.each(METHODS)('%s is never read as another method', (method) => {
    for (const before of ['', 'GET / HTTP/1.1\r\n\r\n']) {
      const bytes = Buffer.from(`${before}${method} /é`);
      const start = requestStart(bytes, bytes.length - 2);
      const known = OURS.includes(method) || method === 'PROPPATCH';
      expect(start).toBe(known ? before.length : undefined);
    }
  });

  it('does not include body bytes that precede the method', () => {
    const bytes = Buffer.from('{"a":1}xGET /é');
    expect(requestStart(bytes, bytes.length - 2)).toBe(8);
  });
});

describe('senderIn', () => {
  it.each([
    ['POST /a HTTP/1.1\r\nHost: x\r\nOrigin: https://a.example\r\n', 'POST', 'https://a.example'],
    ['GET /a HTTP/1.1\r\norigin:\thttps://a.example \r\n\r\nPUT /b', 'PUT', undefined],
    ['BREW /a', 'BREW', undefined],
    ['garbage\r\nOrigin: https://a.example', 'GET', undefined],
    ['', 'GET', undefined],
  ])('finds the method and the origin in %j', (bytes, method, origin) => {
    expect(senderIn(Buffer.from(bytes))).toEqual({ method, origin });
  });
});
