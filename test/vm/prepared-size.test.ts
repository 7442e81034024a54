import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodeRefused } from '../../src/vm/errors.js';
import { LIMITS } from '../../src/vm/wasm/engine-limits.js';
import { HOST_FUNCTIONS } from '../../src/vm/wasm/host-interface.js';
import { WasmEngine } from '../../src/vm/wasm/wasm-engine.js';
import { CodeWriter } from '../../src/wasm/code-writer.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { HOST_CRYPTO } from '../support/crypto/host-crypto.js';
import { hostileModules } from '../support/forged/hostile-modules.js';

/** Maximum ratio of prepared code to module bytes, and the fixed overhead: mostly three hashes. */
const TIMES = 8;
const CONSTANT = 32 * 1024;

const engine = new WasmEngine({ crypto: HOST_CRYPTO });
const INVOKE = { name: 'invoke', type: '>i', code: 'i32.const 0' };
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `f${index}`);
const leaves = (count: number) => names(count).map((name) => ({ name, code: '', isExported: false }));

function modules(): Map<string, Uint8Array> {
  const all = hostileModules(1_000);
  for (const name of ['sha256', 'call', 'gas_left']) {
    const imports = Array.from({ length: 13_000 }, () => name);
    all.set(`13,000 imports of ${name}`, assemble({ imports, memory: [1], functions: [INVOKE] }));
  }
  const everything = [...HOST_FUNCTIONS.keys()];
  all.set('every import', assemble({ imports: everything, memory: [1], functions: [INVOKE] }));
  all.set(
    '60,000 entries of an element segment',
    assemble({
      imports: everything,
      memory: [1],
      table: 10,
      elements: [
        { functions: Array.from({ length: 60_000 }, (_, index) => (index === 0 ? null : 'caller')) },
      ],
      functions: [INVOKE, ...leaves(100)],
    }),
  );
  const nameless = assemble({ memory: [1], functions: [INVOKE] });
  all.set('names of control characters', withNames(nameless, 200, '\u0001'.repeat(1_000)));
  all.set('names of functions that are not there', withNames(nameless, 40_000, 'x'));
  return all;
}

/** The module with a name section of the given number of names. */
function withNames(module: Uint8Array, count: number, name: string): Uint8Array {
  const list = new CodeWriter().u32(count);
  for (let index = 0; index < count; index++) list.u32(index).name(name);
  const content = new CodeWriter().name('name').byte(1).sized(list.view());
  return new CodeWriter().bytes(module).byte(0).sized(content.view()).finish();
}

/** The prepared code, or undefined if a limit refuses the module. */
function preparedOf(code: Uint8Array): Uint8Array | undefined {
  try {
    return engine.validate(code).prepare();
  } catch (error) {
    if (error instanceof CodeRefused && error.rule === 'limit') return undefined;
    throw error;
  }
}

test('prepared code is a small multiple of any module', (context) => {
  let worst = { name: '', times: 0 };
  for (const [name, code] of modules()) {
    if (code.length > LIMITS.codeBytes) throw new RangeError(`${name}: ${code.length} bytes`);
    const prepared = preparedOf(code);
    if (prepared === undefined) continue;
    const times = (prepared.length - CONSTANT) / code.length;
    if (times > worst.times) worst = { name, times };
    assert.ok(times <= TIMES, `${name}: ${prepared.length} bytes of ${code.length}`);
  }
  context.diagnostic(`${worst.name}: ${worst.times.toFixed(1)} times`);
});
