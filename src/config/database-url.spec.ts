import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidEnvironment } from './environment.js';
import { parseServerUrl } from './database-url.js';

const folder = mkdtempSync(join(tmpdir(), 'kalends-url-'));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('DATABASE_URL of a server', () => {
  it('contains host, port, user, password and database, percent-encoded', () => {
    expect(parseServerUrl('mysql://calendar%40site:p%2Fw%3F@db.example:3307/kal%C3%A9ndes')).toEqual({
      host: 'db.example',
      port: 3307,
      username: 'calendar@site',
      password: 'p/w?',
      database: 'kaléndes',
      ssl: undefined,
    });
  });

  it('has defaults: port 3306, no password, no TLS', () => {
    expect(parseServerUrl('mysql://root@[::1]/x')).toMatchObject({
      host: '::1',
      port: 3306,
      password: '',
      ssl: undefined,
    });
  });

  it('reads the password from a file, without the line end', () => {
    expect(parseServerUrl('mysql://u:ignored@h/x', file('password', 'from file \n')).password).toBe('from file');
  });

  it.each([
    ['ssl-mode=DISABLED', undefined],
    ['ssl-mode=required', { rejectUnauthorized: false, verifyIdentity: false }],
    ['ssl-mode=VERIFY_CA', { rejectUnauthorized: true, verifyIdentity: false }],
    ['ssl-mode=VERIFY_IDENTITY', { rejectUnauthorized: true, verifyIdentity: true }],
  ])('%s', (params, ssl) => {
    expect(parseServerUrl(`mysql://u@h/x?${params}`).ssl).toEqual(ssl);
  });

  it('reads the files of CA, certificate and key; a CA without ssl-mode means VERIFY_CA', () => {
    const ca = file('ca.pem', 'the authority');
    const { ssl } = parseServerUrl(`mysql://u@h/x?ssl-ca=${ca}&ssl-cert=${ca}&ssl-key=${ca}`);
    const bytes = Buffer.from('the authority');
    expect(ssl).toEqual({ ca: bytes, cert: bytes, key: bytes, rejectUnauthorized: true, verifyIdentity: false });
  });

  it.each([
    ['mysql://u@h/x?ssl-mode=MAYBE', 'DATABASE_URL: ssl-mode must be one of'],
    ['mysql://u@h/x?sslmode=REQUIRED', 'DATABASE_URL: has no parameter sslmode'],
    ['mysql://u@h/x?ssl-ca=/nowhere/ca.pem', 'DATABASE_URL: names a file that cannot be read: /nowhere/ca.pem'],
    ['mysql://u:%zz@h/x', 'DATABASE_URL: has a broken percent escape'],
    ['mysql://u@h:99999/x', 'DATABASE_URL: is not a valid URL'],
  ])('rejects %s and names the variable', (url, text) => {
    expect(() => parseServerUrl(url)).toThrow(text);
    expect(() => parseServerUrl(url)).toThrow(InvalidEnvironment);
  });

  it('names the variable of a missing password file', () => {
    expect(() => parseServerUrl('mysql://u@h/x', '/nowhere')).toThrow('DATABASE_PASSWORD_FILE: names a file');
  });
});
