import { Random } from './random.js';

/** A parameter as the OpenAPI document describes it. */
export interface Documented {
  readonly name: string;
  readonly type?: string;
  readonly enum?: readonly string[];
}

const DATES = [
  '2027-03-10',
  '2027-03-10 10:00',
  '2027-03-10T10:00:00Z',
  '2027-03-10T10:00:00.123+05:30',
  '20270310T170000',
  '@1804698000',
  '-99999999999',
  '1804698000',
  '@-62135596801',
  'now',
  'tomorrow 9am',
  'next monday 4pm',
  '+1 week',
  '-9999 years',
  '+9999999999999999 days',
  '10 March 2027 5pm',
  '31/12/2027',
  '2027-02-30',
  '2027-02-29T24:00:00',
  '0000-00-00 00:00:00',
  '9999-12-31T23:59:59-12:00',
  '1000-01-01T00:00:00+14:00',
  '10000-01-01',
  '2027-W10',
  '2027-03-28 02:30',
  '２０２７-03-10',
  '١٠/٠٣/٢٠٢٧',
];
const ZONES = ['UTC', 'Europe/Paris', 'america/new_york', 'UTC+14', '-05:30', 'UTC+99', 'Mars/X', 'Pacific/Apia', ''];
const TEXTS = [
  'Jazz & Wine',
  'Fête de la Musique – München',
  '東京イベント',
  'Party 🎉🎈',
  '   ',
  '',
  '!!!',
  "Robert'); DROP TABLE events;--",
  "' OR '1'='1",
  '" UNION SELECT password_hash FROM events --',
  '%_\\%',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1) ',
  '<p><b>unclosed <a href="javascript:alert(1)" onclick=x>',
  '<!--<svg/onload=alert(1)>-->',
  '&lt;&amp;&#0;&#x110000;&nope;',
  'a\0b',
  '\u0001\u0008\u001b[31m\u007f\u0085\u009f',
  'line\r\nSet-Cookie: a=b',
  '\ud800',
  'x\udc00\ud800y',
  '\u202eright to left',
  'e\u0301\u0301\u0301',
  '\ufeff\ufffe\uffff',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '${7*7} {{7*7}} %s %d %n',
  '../../../../etc/passwd',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  'a'.repeat(501),
  'ß'.repeat(200),
  'ﷺ'.repeat(150),
  '"unbalanced -minus "quoted phrase"',
];
const NUMBERS = [0, -0, 1, -1, 2, 3, 5, 1.5, 1e3, 1e21, -1e308, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, 2 ** 64];
const DIGITS = [
  '1',
  '01',
  '-1',
  '+1',
  '1.0',
  '1e3',
  '١٢٣',
  '１',
  '0x10',
  '18446744073709551616',
  ' 5 ',
  '1,2,3',
  '1abc',
];
const ADDRESSES = [
  'https://example.com/a.jpg',
  'http://x.example/ü?a=1&b=2#c',
  '//h',
  'javascript:alert(1)',
  'http://[::1]:99999/',
  'https://user:word@example.com:8080/x.PNG',
  'ann@example.com',
  'a@b',
  'data:text/html,<b>',
];
const COSTS = ['20', '10-20€', 'Free - $20', '1,234.50', '€ -5', "CHF 1'000", 'Donation', '½', '9'.repeat(300)];

/** Returns a value that the documentation allows, or almost allows. */
export function plausible(random: Random, { name, type, enum: words }: Documented): unknown {
  if (words !== undefined) return random.pick(words);
  if (name === 'end_date') return random.pick(['2027-12-01', '2028-01-01 10:00', random.pick(DATES)]);
  if (/date|^(starts|ends)_/.test(name)) return random.pick(random.chance(0.7) ? DATES.slice(0, 6) : DATES);
  if (name === 'timezone') return random.pick(ZONES);
  if (/website|image|email/.test(name)) return random.pick([...ADDRESSES, 1, 0, null]);
  if (name === 'cost') return random.pick([...COSTS, [random.pick(COSTS), random.pick(COSTS)], 15]);
  if (name === 'status') return random.pick(['publish', 'draft', 'pending', 'private', 'future', 'trash', 'any']);
  if (name === 'venue' || name === 'organizer')
    return random.pick([text(random), link(random, name), 1, [1, 2], '1,2', 0]);
  if (/^geo/.test(name)) return random.pick([0, 48.85, -179.9, 90, '2.35', true]);
  if (name === 'page') return random.pick([1, 1, 2, '3']);
  if (type === 'integer') return random.between(0, 12);
  if (type === 'number') return random.next() * 100;
  if (type === 'boolean') return random.pick([true, false, 'yes', '0', 1]);
  if (type === 'array') return random.pick([[1, 2], '1,2', [text(random)], 3, [{ id: 1 }], []]);
  return text(random);
}

/** Returns a value that no client should send. */
export function hostile(random: Random, depth = 0): unknown {
  const kind = random.between(0, depth > 2 ? 6 : 9);
  if (kind === 0) return random.pick([null, true, false, '', [], {}]);
  if (kind === 1) return random.pick(NUMBERS);
  if (kind === 2) return random.pick(DIGITS);
  if (kind === 3) return random.pick(DATES);
  if (kind === 4) return random.pick([...ADDRESSES, ...ZONES, ...COSTS]);
  if (kind <= 6) return text(random);
  if (kind === 7) return Array.from({ length: random.pick([1, 2, 3, 30]) }, () => hostile(random, depth + 1));
  if (kind === 8) return Array.from({ length: random.pick([100, 1001]) }, (_, index) => random.pick([index, 'x', -1]));
  return object(random, depth);
}

export function text(random: Random): string {
  if (random.chance(0.01))
    return random.pick(['x', '<b>', '&', 'é', '\0', '"', ' ']).repeat(random.pick([1000, 20_000]));
  const one = random.pick(TEXTS);
  return random.chance(0.2) ? `${one} ${random.pick(TEXTS)} ${random.between(0, 9)}` : one;
}

function object(random: Random, depth: number): unknown {
  const names = ['id', 'venue', 'organizer', 'name', 'status', 'website', '__proto__', 'constructor', 'length', ''];
  return Object.fromEntries(
    Array.from({ length: random.between(1, 3) }, () => [random.pick(names), hostile(random, depth + 1)]),
  );
}

function link(random: Random, name: string): unknown {
  const one = () => ({
    [name]: text(random),
    website: random.pick(ADDRESSES),
    email: 'ann@example.com',
    id: undefined,
  });
  return random.chance(0.5) ? one() : [one(), random.between(1, 9)];
}
