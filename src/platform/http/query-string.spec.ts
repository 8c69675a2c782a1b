import { NOT_UTF8, parseQueryString, Repeated, TooManyParameters } from './query-string.js';

const parse = (text: string) => ({ ...parseQueryString(text) });

describe('parseQueryString', () => {
  it.each([
    ['', {}],
    ['a=1&b=x+y%20z&c', { a: '1', b: 'x y z', c: '' }],
    ['&&a=1&', { a: '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=1,2', { a: '1,2' }],
    ['a%5B%5D=1&a[]=2', { a: ['1', '2'] }],
    ['a[0]=x&a[1]=y', { a: ['x', 'y'] }],
    ['venue[venue]=Hall&venue[city]=Lyon', { venue: { venue: 'Hall', city: 'Lyon' } }],
    [
      'organizer[0][organizer]=Ann&organizer[1][organizer]=Bob',
      { organizer: [{ organizer: 'Ann' }, { organizer: 'Bob' }] },
    ],
    ['title=Caf%C3%A9', { title: 'Café' }],
    ['title=Caf\u00c3\u00a9', { title: 'Café' }],
    ['a=%f0%9F%8e%89+\ufeff'.replace('\ufeff', '%EF%BB%BF'), { a: '🎉 \ufeff' }],
    ['%EF%BB%BFa=1', { '\ufeffa': '1' }],
  ])('reads %s', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it('contract 2.1: a repeated key keeps all values, because only the field knows whether it is a list', () => {
    expect(parse('page=9&page=1').page).toEqual(new Repeated(['9', '1']));
  });

  it('contract EV-LIST-03: brackets always make a list', () => {
    expect(parse('page[]=1').page).toEqual(['1']);
    expect(parse('page=9&page[]=1').page).toEqual(['9', '1']);
  });

  it.each([25, 1000])('a list of %d items stays a list', (length) => {
    const items = Array.from({ length }, (_, index) => String(index));
    expect(parse(items.map((item) => `a[]=${item}`).join('&')).a).toEqual(items);
    expect(parse(items.map((item) => `a[${item}]=${item}`).join('&')).a).toEqual(items);
  });

  it('contract GEN-30: accepts 1,000 parameters and rejects more', () => {
    expect(() => parse('a&'.repeat(1000))).not.toThrow();
    expect(() => parse('a&'.repeat(1001))).toThrow(TooManyParameters);
  });

  it.each(['a=%FF', 'a=%E0%A4%A', 'a=%', 'a=%4', 'a=%g0', 'a=%0g', 'a=%ED%A0%80', 'a=%C0%80', 'a=\u00ff'])(
    'marks %s as invalid UTF-8',
    (text) => {
      expect(parse(text).a).toBe(NOT_UTF8);
    },
  );

  it('marks nested values of invalid UTF-8', () => {
    expect(parse('a[]=%FF&b[c]=%FF')).toEqual({ a: [NOT_UTF8], b: { c: NOT_UTF8 } });
  });

  it.each(['__proto__[x]=1', 'constructor[prototype][x]=1', 'a[__proto__][x]=1', '__proto__=1', 'a[constructor]=1'])(
    '%s does not change a prototype',
    (text) => {
      const values = parseQueryString(text);
      expect(({} as { x?: unknown }).x).toBeUndefined();
      expect(Object.getPrototypeOf(values)).toBeNull();
    },
  );

  it('accepts 3,000 nested brackets', () => {
    expect(() => parse(`a${'[]'.repeat(3000)}=1`)).not.toThrow();
    expect(() => parse(`a${'[b]'.repeat(3000)}=1`)).not.toThrow();
  });
});
