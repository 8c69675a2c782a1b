import { traceOf } from './trace-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceOf', () => {
  it.each([`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`, `cc-${TRACE}-${SPAN}-01-what-comes-later`])(
    'continues %s',
    (traceparent) => expect(traceOf(traceparent)).toEqual({ traceId: TRACE, parentId: SPAN }),
  );

  it.each([
    undefined,
    '',
    'text',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01\n{"forged":1}`,
  ])('ignores %j', (traceparent) => expect(traceOf(traceparent)).toEqual({}));
});
