import { METHODS } from 'node:http';
import { requestStart } from './request-line.js';

const OURS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

describe('where a request begins whose address is raw', () => {
  it.each(METHODS)('%s is never read as another method', (method) => {
    for (const before of ['', 'GET / HTTP/1.1\r\n\r\n']) {
      const bytes = Buffer.from(`${before}${method} /é`);
      const start = requestStart(bytes, bytes.length - 2);
      const known = OURS.includes(method) || method === 'PROPPATCH';
      expect(start).toBe(known ? before.length : undefined);
    }
  });

  it('the letters of a body before it are no part of it', () => {
    const bytes = Buffer.from('{"a":1}xGET /é');
    expect(requestStart(bytes, bytes.length - 2)).toBe(8);
  });
});
