import { withoutSecrets } from './access-log.js';

describe('withoutSecrets (contract 5.6)', () => {
  it.each([
    ['/events', '/events'],
    ['/events?', '/events?'],
    ['/events?page=2&search=a%20b', '/events?page=2&search=a%20b'],
    ['/events/1?password=hush', '/events/1?password=[redacted]'],
    ['/events/1?a=1&password=hush&b=2', '/events/1?a=1&password=[redacted]&b=2'],
    ['/events/1?PassWord=hush', '/events/1?PassWord=[redacted]'],
    ['/events/1?pass%77ord=hush', '/events/1?pass%77ord=[redacted]'],
    ['/events/1?password%5B%5D=hush', '/events/1?password%5B%5D=[redacted]'],
    ['/events/1?password=hu=sh', '/events/1?password=[redacted]'],
    ['/events/1?password=hu?sh', '/events/1?password=[redacted]'],
    ['/events/1?%70assword%E0=hush', '/events/1?%70assword%E0=[redacted]'],
    ['/events?token=hush&access_token=hush', '/events?token=[redacted]&access_token=[redacted]'],
    ['/events?Authorization=Bearer+hush', '/events?Authorization=[redacted]'],
  ])('%s is logged as %s', (url, expected) => {
    expect(withoutSecrets(url)).toBe(expected);
  });
});
