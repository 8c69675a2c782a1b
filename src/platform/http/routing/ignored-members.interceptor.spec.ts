import { ApiProperty, ApiPropertyOptional } from '../api-decorators.js';
import { Flag, Int } from '../fields/value-fields.js';
import { ignoredMembers } from './ignored-members.interceptor.js';
import type { Operation } from '../operation.js';
import { RawText } from '../fields/text-fields.js';

class Accepted {
  @RawText('the name', { max: 9 }) name?: string;
}
class AcceptedById extends Accepted {
  @Int('the number') number?: number;
}
class Deletion {
  @Flag('for good') force?: boolean;
}
class ThingResponse {
  @ApiProperty() id: number;
  @ApiPropertyOptional() url?: string;
}
const create: Operation = { kind: 'create', id: 'createThing', summary: '', accepts: Accepted, answers: ThingResponse };
const update: Operation = { ...create, kind: 'update', accepts: AcceptedById };
const deletion: Operation = { ...create, kind: 'delete', accepts: Deletion };

const ofNames = (operation: Operation, ...names: string[]) =>
  ignoredMembers(operation, Object.fromEntries(names.map((name) => [name, 1])));

describe('GEN-37: X-Kalends-Ignored', () => {
  it.each<[string, Operation, string[], string | undefined]>([
    ['fields, members of the response, context', create, ['name', 'id', 'url', 'context'], undefined],
    ['names of no field', create, ['content', 'name', 'venue_id'], 'content, venue_id'],
    ['fields of another route only', create, ['number'], 'number'],
    ['fields of the superclass', update, ['name', 'number', 'x'], 'x'],
    ['a deletion', deletion, ['force', 'id', 'x'], 'x'],
    ['names of Object.prototype', create, ['constructor', 'toString'], 'constructor, toString'],
    [
      'names that are no header tokens',
      create,
      ['a b', 'ü', 'f(x)', "it's", '50%', '5 %'],
      "a%20b, %C3%BC, f%28x%29, it's, 50%, 5%20%25",
    ],
    ['line ends, and a lone surrogate', create, ['a\r\nb', 'x\ud800'], 'a%0D%0Ab, x%EF%BF%BD'],
    ['an empty name', create, ['', 'a'], 'a'],
    ['a long name', create, ['x'.repeat(65)], 'x'.repeat(64)],
    ['a long name of characters outside the BMP', create, ['🎷'.repeat(65)], '%F0%9F%8E%B7'.repeat(64)],
  ])('%s', (_, operation, names, expected) => {
    expect(ofNames(operation, ...names)).toBe(expected);
  });

  it('lists at most 20 names in at most 1,000 bytes', () => {
    const many = (of: (n: number) => string) => Array.from({ length: 10_000 }, (_, n) => of(n));
    expect(ofNames(create, ...many((n) => `m${n}`))?.split(', ')).toHaveLength(20);
    const long = ofNames(create, ...many((n) => `${n}-`.padEnd(64, 'x'))) as string;
    expect(long.split(', ')).toHaveLength(15);
    expect(long.length).toBeLessThanOrEqual(1000);
    expect(ofNames(create, 'a', ...many((n) => `${n}${'🎷'.repeat(60)}`))).toMatch(/^a, 0(%\w\w)+$/);
  });
});
