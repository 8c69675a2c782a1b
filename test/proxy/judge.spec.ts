import { type Exchange, judge, type Violation } from './judge.mjs';

interface Case {
  readonly body?: unknown;
  readonly query?: Record<string, unknown>;
  readonly status?: number;
  readonly answer?: unknown;
  readonly input?: readonly Violation[];
  readonly output?: readonly Violation[];
}

const exchange = ({ body, query = {}, status = 200, answer = {}, input = [], output = [] }: Case): Exchange => ({
  root: 'http://localhost/calendar/events/v1',
  request: { method: 'post', url: { path: '/events', query }, headers: { 'content-type': 'application/json' }, body },
  output: { statusCode: status, body: answer },
  validations: { input, output },
});
const must = (what: string, ...path: string[]): Violation => ({
  code: 'type',
  message: `Request must be ${what}`,
  path,
});
const counted = (input: Case) => judge(exchange(input)).violations.length;

const MISSING: Violation = {
  code: 'required',
  message: "Response body must have required property 'id'",
  path: ['body'],
};
const STATUS: Violation = {
  message: 'Unable to match the returned status code with those defined in the document: 418',
};
const ANY_OF: Violation = { code: 'anyOf', message: 'must match a schema in anyOf', path: ['body', 'venue', '0'] };

describe('judge reports a violation for', () => {
  test.each([
    ['a member missing from an answer', { output: [MISSING] }],
    ['a member missing from an error', { status: 400, output: [MISSING] }],
    ['a status that is not documented', { status: 418, output: [STATUS] }],
    ['a status that is not documented, of a reduced answer', { query: { _fields: 'id' }, output: [STATUS] }],
    ['a required member of a request that succeeds', { body: {}, input: [MISSING] }],
    ['text for an integer', { body: { author: 'Ann' }, input: [must('integer', 'body', 'author')] }],
    ['a fraction for an integer', { body: { author: '1.5' }, input: [must('integer', 'body', 'author')] }],
    ['a list for a text', { body: { title: ['T'] }, input: [must('string', 'body', 'title')] }],
    ['another word for a boolean', { query: { featured: 'maybe' }, input: [must('boolean', 'query', 'featured')] }],
    [
      'an item of no documented form',
      { body: { venue: ['Hall'] }, input: [must('integer', 'body', 'venue', '0'), ANY_OF] },
    ],
  ])('%s', (_, input: Case) => {
    expect(counted(input)).toBeGreaterThan(0);
  });

  test('no response at all', () => {
    const { request, root } = exchange({});
    const { violations } = judge({ request, root, error: { message: 'ECONNREFUSED', detail: '' } });
    expect(violations).toMatchObject([{ part: 'proxy' }]);
  });
});

describe('judge reports no violation for', () => {
  test.each([
    ['a request that is refused', { status: 400, body: {}, input: [MISSING] }],
    ['an answer that _fields reduces', { query: { _fields: 'title' }, output: [MISSING] }],
    ['an unknown route', { status: 404, answer: { code: 'rest_no_route' }, output: [STATUS] }],
    ['digits for an integer', { body: { author: ' 5 ' }, input: [must('integer', 'body', 'author')] }],
    ['yes for a boolean', { query: { featured: 'Yes' }, input: [must('boolean', 'query', 'featured')] }],
    ['a number for a text', { body: { title: 12 }, input: [must('string', 'body', 'title')] }],
    ['one id for a list', { body: { venue: '5' }, input: [must('array,null', 'body', 'venue')] }],
    ['null', { body: { author: null }, input: [must('integer', 'body', 'author')] }],
    ['digits for an item', { body: { venue: ['5'] }, input: [must('integer', 'body', 'venue', '0'), ANY_OF] }],
  ])('%s', (_, input: Case) => {
    expect(counted(input)).toBe(0);
  });
});
