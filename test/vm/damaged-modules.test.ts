import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../../src/load/workload.js';
import { LIMITS } from '../../src/vm/wasm/engine-limits.js';
import { instrument } from '../../src/vm/wasm/instrument.js';
import { type ValidatedModule, validateModule } from '../../src/vm/wasm/validate.js';
import { ModuleRefused, type RefusalRule } from '../../src/wasm/module-refused.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { randomModule } from '../support/contracts/wasm-generator.js';
import { sweep } from '../support/sweep.js';

const MODULES = sweep(10);
const DAMAGES = 60;

/** Rules that come from the specification itself: V8 must refuse what breaks them. */
const SPECIFIED: ReadonlySet<RefusalRule> = new Set([
  'malformed',
  'unknown_index',
  'type_mismatch',
  'alignment',
  'immutable_global',
]);

test('a damaged module is accepted exactly if V8 accepts it, before and after metering, unless the subset forbids it', (context) => {
  const counts = { accepted: 0, refused: 0, forbidden: 0 };
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = seededRandom(seed);
      const whole = assemble(randomModule(random).source);
      for (let n = 0; n < DAMAGES; n++) {
        const bytes = damage(whole, random);
        const isValid = WebAssembly.validate(bytes);
        const result = validated(bytes);
        if (!(result instanceof ModuleRefused)) {
          counts.accepted += 1;
          assert.ok(isValid, 'V8 refuses what was accepted');
          const metered = instrument(result, { variant: 'plain', profile: 'any', limits: LIMITS });
          assert.ok(WebAssembly.validate(metered), 'V8 refuses what the instrumenter made');
        } else if (isValid) {
          counts.forbidden += 1;
          assert.ok(!SPECIFIED.has(result.rule), `V8 takes it: ${result.message}`);
        } else {
          counts.refused += 1;
        }
      }
    }),
    { numRuns: MODULES, includeErrorInReport: true },
  );
  context.diagnostic(JSON.stringify(counts));
  assert.ok(counts.accepted > MODULES && counts.refused > MODULES);
});

function validated(bytes: Uint8Array): ValidatedModule | ModuleRefused {
  try {
    return validateModule(bytes, LIMITS, 'any');
  } catch (error) {
    assert.ok(error instanceof ModuleRefused, String(error));
    return error;
  }
}

/** Changes one to three bytes after the header. */
function damage(whole: Uint8Array, random: () => number): Uint8Array {
  const bytes = Uint8Array.from(whole);
  for (let n = 0; n <= random() * 3; n++) {
    const at = 8 + Math.floor(random() * (bytes.length - 8));
    bytes[at] =
      random() < 0.5 ? Math.floor(random() * 256) : (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  }
  return bytes;
}
