import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTraceparent } from '../../../src/rpc/tracing/tracing.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('a valid traceparent names trace, span and flags', () => {
  const parent = { traceId: TRACE, spanId: SPAN, flags: 1 };
  assert.deepEqual(parseTraceparent(`00-${TRACE}-${SPAN}-01`), parent);
  assert.deepEqual(parseTraceparent(`01-${TRACE}-${SPAN}-01-later`), parent, 'a later version may have more');
});

for (const header of [
  '',
  'x',
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${TRACE}-${SPAN}-01 `,
  `01-${TRACE}-${SPAN}-01-${'a'.repeat(500)}`,
]) {
  test(`${JSON.stringify(header.slice(0, 70))} is ignored`, () => {
    assert.equal(parseTraceparent(header), undefined);
  });
}
