import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../../src/load/workload.js';
import { LIMITS } from '../../src/vm/wasm/engine-limits.js';
import { endingOf, MeteredModule } from '../support/contracts/metered-module.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { countingModule } from '../support/contracts/wasm-counter.js';
import { randomModule } from '../support/contracts/wasm-generator.js';
import { sweep } from '../support/sweep.js';

/** The modules' fuel bounds their depth; this test does not cover the stack limit. */
const LIMITS_HERE = { ...LIMITS, stackBytes: 64 * 1024 * 1024 };
const MODULES = sweep(30);
const CALLS = 6;
/** The modules' fuel: loop rounds and calls per external call. */
const FUEL = 400;

interface Step {
  readonly name: string;
  readonly args: readonly (number | bigint)[];
}

test('random modules give the same results, traps and memory as unmetered, for the same gas every time', (context) => {
  const endings = new Map<string, number>();
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = seededRandom(seed);
      const { source, signatures } = randomModule(random);
      const bytes = assemble(source);
      const raw = new WebAssembly.Instance(new WebAssembly.Module(bytes));
      const metered = new MeteredModule(bytes, {}, LIMITS_HERE);
      const steps = randomSteps(random, signatures);
      const gas = steps.map(({ name, args }) => {
        metered.call('refuel', [FUEL]);
        endingOf(raw, 'refuel', [FUEL]);
        const { ending, gasUsed } = metered.call(name, args);
        assert.deepEqual(ending, endingOf(raw, name, args), `${name}(${args.join()})`);
        const kind = typeof ending === 'string' ? ending : 'success';
        endings.set(kind, (endings.get(kind) ?? 0) + 1);
        return gasUsed;
      });
      assertSameState(raw, metered);
      const again = metered.reset() ? metered : new MeteredModule(bytes, {}, LIMITS_HERE);
      const others = [
        again,
        new MeteredModule(bytes, {}, LIMITS_HERE),
        new MeteredModule(
          bytes,
          { 'heddle:observer': { enter: () => undefined, leave: () => undefined } },
          LIMITS_HERE,
          'observed',
        ),
      ];
      for (const other of others) {
        const used = steps.map(({ name, args }) => {
          other.call('refuel', [FUEL]);
          return other.call(name, args).gasUsed;
        });
        assert.deepEqual(used, gas, 'gas on a reset, a fresh and a observed instance');
        assertSameState(raw, other);
      }
    }),
    { numRuns: MODULES, includeErrorInReport: true },
  );
  context.diagnostic(JSON.stringify(Object.fromEntries(endings)));
  // The rarest ends one of 33 calls.
  if (MODULES < 300) return;
  for (const kind of [
    'success',
    'unreachable',
    'division_by_zero',
    'memory_out_of_bounds',
    'table_out_of_bounds',
    'indirect_call_mismatch',
  ]) {
    assert.ok((endings.get(kind) ?? 0) > 0, `no call ended with ${kind}`);
  }
});

test('gas equals an instruction-by-instruction count on every code path', (context) => {
  let compared = 0;
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = seededRandom(seed);
      const { source, signatures } = randomModule(random, false);
      const counting = new WebAssembly.Instance(new WebAssembly.Module(assemble(countingModule(source))));
      const metered = new MeteredModule(assemble(source), {}, LIMITS_HERE);
      for (const step of randomSteps(random, signatures)) {
        metered.call('refuel', [FUEL]);
        endingOf(counting, 'refuel', [FUEL]);
        endingOf(counting, 'count', []);
        const { ending, gasUsed } = metered.call(step.name, step.args);
        assert.deepEqual(ending, endingOf(counting, step.name, step.args));
        const [counted] = endingOf(counting, 'count', []);
        // A trap ends a block early, but the whole block was charged.
        if (typeof ending === 'string') {
          assert.ok(gasUsed >= BigInt(counted ?? 0), `${gasUsed} for ${counted}`);
        } else {
          assert.equal(gasUsed, BigInt(counted ?? 0));
          compared += 1;
        }
      }
    }),
    { numRuns: MODULES, includeErrorInReport: true },
  );
  context.diagnostic(`${compared} calls that came to their end`);
  assert.ok(compared > MODULES / 2);
});

function randomSteps(
  random: () => number,
  signatures: readonly { readonly params: readonly ('i' | 'j')[] }[],
): readonly Step[] {
  return Array.from({ length: CALLS }, () => {
    const index = Math.floor(random() * signatures.length);
    const args = (signatures[index]?.params ?? []).map((type) =>
      type === 'i' ? Math.floor(random() * 2 ** 32) | 0 : BigInt(Math.floor(random() * 2 ** 53)) << 7n,
    );
    return { name: `f${index}`, args };
  });
}

function assertSameState(raw: WebAssembly.Instance, metered: MeteredModule): void {
  const memory = raw.exports['memory'];
  assert.ok(memory instanceof WebAssembly.Memory && metered.memory !== undefined);
  assert.equal(Buffer.compare(Buffer.from(memory.buffer), Buffer.from(metered.memory.buffer)), 0, 'memory');
  for (const getter of ['g0', 'g1', 'g2', 'g3', 'g4']) {
    assert.deepEqual(metered.call(getter, []).ending, endingOf(raw, getter, []), getter);
  }
}
