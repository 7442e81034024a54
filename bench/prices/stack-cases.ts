import { type PriceCase, viewer } from './price-case.js';

/** Calls that go deep and end there: by a trap, a revert, a return, or stack exhaustion. */
export function* stackCases(): Generator<PriceCase> {
  const ends = { trap: 'unreachable', revert: 'i32.const 0; i32.const 0; call revert', return: '' };
  for (const [end, code] of Object.entries(ends)) {
    for (const depth of [50, 120, 200, 1_000, 10_000, 60_000]) {
      yield {
        price: 'stack',
        shape: `${depth} calls deep, then ${end}`,
        contracts: diving(depth, '', code),
      };
    }
  }
  yield { price: 'stack', shape: 'used up, without locals', contracts: diving(10_000_000, '', '') };
  yield {
    price: 'stack',
    shape: 'used up, with 1,000 locals a call',
    contracts: diving(10_000_000, 'j'.repeat(1_000), ''),
  };
}

function diving(depth: number, locals: string, end: string): PriceCase['contracts'] {
  const dive = {
    name: 'dive',
    type: 'i>',
    locals,
    code: `local.get 0; if; local.get 0; i32.const 1; i32.sub; call dive; else; ${end}; end`,
    isExported: false,
  };
  const invoke = { name: 'invoke', type: '>i', code: `i32.const ${depth}; call dive; i32.const 0` };
  return [viewer('i64.const -1'), { imports: ['revert'], memory: [1], functions: [invoke, dive] }];
}
