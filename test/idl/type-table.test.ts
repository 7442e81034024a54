import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { TypeTable } from '../../src/idl/type-table.js';
import { arbitraryOf } from '../support/arbitraries.js';
import { compileTypes } from '../support/runtime-codecs.js';
import { sampleManifest } from '../support/sample-idl.js';
import { sweep } from '../support/sweep.js';

const manifest = sampleManifest();
const types = new TypeTable(manifest);

test('a type is recursive exactly if it is reachable from its own parts', () => {
  const edges = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 14 });
  fc.assert(
    fc.property(edges, (pairs) => {
      const structs = Array.from({ length: 8 }, (_, i) => {
        const fields = pairs.filter(([from]) => from === i).map(([, to], n) => `f${n}: S${to}[]`);
        return `struct S${i} { own: u8; ${fields.map((field) => `${field};`).join(' ')} }`;
      });
      const unit = compileIdl([{ name: 'graph.idl', text: structs.join('\n') }]).manifest;
      const table = new TypeTable(unit);
      for (const struct of unit.structs) {
        const reached = table.reachable(table.parts(struct));
        assert.equal(table.isRecursive(struct), reached.has(struct), struct.name);
      }
    }),
    { numRuns: sweep(20) },
  );
});

test('sizes hold for every value', () => {
  const codecs = compileTypes<Record<string, unknown>>(manifest);
  for (const { name } of [...manifest.structs, ...manifest.enums]) {
    if (types.holdsJson(name)) continue;
    const least = types.minSize(name);
    const exact = types.exactSize(name);
    fc.assert(
      fc.property(arbitraryOf(manifest, name), (value) => {
        const size = codecs[name]?.encode(value).length ?? -1;
        assert.ok(size >= least, `${name}: ${size} < ${least}`);
        if (exact !== undefined) assert.equal(size, exact, name);
      }),
      { numRuns: sweep(3) },
    );
  }
});

test('sizes are exact if nothing varies', () => {
  const unit = compileIdl([
    {
      name: 'sizes.idl',
      text: `type Pair = u128[2]; struct Fixed { a: bool; b: i16; c: address; d: bytes7; e: Pair; f: Same; }
enum Same { A: u32, B: bytes4 } enum Plain { A, B } enum Mixed { A, B: u8 } struct Varies { a?: u8; } struct Text { t: string; }`,
    },
  ]).manifest;
  const table = new TypeTable(unit);
  const sizes = ['Fixed', 'Same', 'Plain', 'Mixed', 'Varies', 'Text', 'Pair'].map((name) =>
    table.exactSize(name),
  );
  assert.deepEqual(sizes, [1 + 2 + 20 + 7 + 32 + 5, 5, 1, undefined, undefined, undefined, 32]);
});
