import { newSecret } from '../webhook.secret.js';
import { signatures } from './signature.js';

test('HOOK-01: a secret is whsec_ and 32 random bytes in base64', () => {
  const secrets = Array.from({ length: 3 }, newSecret);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  }
  expect(new Set(secrets).size).toBe(3);
});

test('HOOK-04: the signature is that of the example of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const header = signatures([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}');
  expect(header).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('HOOK-13: two secrets give two signatures, in their order', () => {
  const [one, two] = [newSecret(), newSecret()];
  const of = (...secrets: string[]) => signatures(secrets, 'msg_1', 1, '{}');
  expect(of(one, two)).toBe(`${of(one)} ${of(two)}`);
});
