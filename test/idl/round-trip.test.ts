import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ledgerManifest } from '../../src/generated/ledger.js';
import { nodeRpcV1Manifest } from '../../src/generated/node-rpc-v1.js';
import type { CodecTable } from '../../src/idl/codecs/codec.js';
import { BorshError, JsonDecodeError } from '../../src/idl/codecs/codec-errors.js';
import type { Manifest } from '../../src/idl/manifest.js';
import { TypeTable } from '../../src/idl/type-table.js';
import { arbitraryOf } from '../support/arbitraries.js';
import { mutateBytes, mutateJson, pick } from '../support/forged/codec-mutations.js';
import { randomSource } from '../support/random-source.js';
import { compileTypes } from '../support/runtime-codecs.js';
import { sampleManifest } from '../support/sample-idl.js';
import { sweep } from '../support/sweep.js';

const UNITS: readonly (readonly [name: string, manifest: Manifest])[] = [
  ['ledger.idl', ledgerManifest],
  ['node_rpc_v1.idl', nodeRpcV1Manifest],
  ['the sample', sampleManifest()],
];

const RUNS = sweep(6);
const MUTATIONS_PER_DIRECTION = sweep(10_000);

interface TypeUnderTest {
  readonly name: string;
  readonly binary: boolean;
}

function typesOf(manifest: Manifest): readonly TypeUnderTest[] {
  const table = new TypeTable(manifest);
  return [...manifest.structs, ...manifest.enums].map(({ name }) => ({
    name,
    binary: !table.holdsJson(name),
  }));
}

function codecOf(codecs: CodecTable<Record<string, unknown>>, name: string) {
  const codec = codecs[name];
  assert.ok(codec, name);
  return codec;
}

for (const [unit, manifest] of UNITS) {
  const codecs = compileTypes<Record<string, unknown>>(manifest);
  describe(`every type of ${unit}`, () => {
    for (const { name, binary } of typesOf(manifest)) {
      const codec = codecOf(codecs, name);
      test(`${name} round-trips through JSON`, () => {
        fc.assert(
          fc.property(arbitraryOf(manifest, name), (value) => {
            const text = codec.toJson(value);
            assert.deepEqual(codec.fromJson(JSON.parse(text)), value);
            assert.equal(codec.toJson(codec.fromJson(JSON.parse(text))), text);
          }),
          { numRuns: RUNS },
        );
      });
      if (!binary) continue;
      test(`${name} round-trips through Borsh`, () => {
        fc.assert(
          fc.property(arbitraryOf(manifest, name), (value) => {
            const encoding = codec.encode(value);
            const decoded = codec.decode(encoding);
            assert.deepEqual(decoded, value);
            assert.deepEqual(codec.encode(decoded), encoding);
          }),
          { numRuns: RUNS },
        );
      });
    }
  });
}

describe('decoders survive any input', () => {
  test(`${MUTATIONS_PER_DIRECTION} mutated Borsh inputs are either refused with a BorshError or encode to themselves`, () => {
    const inputs = UNITS.flatMap(([, manifest]) => {
      const codecs = compileTypes<Record<string, unknown>>(manifest);
      return typesOf(manifest)
        .filter(({ binary }) => binary)
        .map(({ name }) => ({
          codec: codecOf(codecs, name),
          seeds: fc.sample(arbitraryOf(manifest, name), { numRuns: 5, seed: 7 }),
        }));
    });
    const random = randomSource(11).below;
    let refused = 0;
    let taken = 0;
    for (let i = 0; i < MUTATIONS_PER_DIRECTION; i++) {
      const { codec, seeds } = pick(inputs, random);
      const mutated = mutateBytes(codec.encode(pick(seeds, random)), random);
      try {
        assert.ok(Buffer.from(codec.encode(codec.decode(mutated))).equals(mutated));
        taken++;
      } catch (error) {
        if (!(error instanceof BorshError)) throw error;
        refused++;
      }
    }
    // Both outcomes must have occurred.
    assert.ok(
      refused > MUTATIONS_PER_DIRECTION / 10 && taken > MUTATIONS_PER_DIRECTION / 100,
      `${refused}, ${taken}`,
    );
  });

  test(`${MUTATIONS_PER_DIRECTION} mutated JSON inputs are either refused with a JsonDecodeError or read as a value`, () => {
    const inputs = UNITS.flatMap(([, manifest]) => {
      const codecs = compileTypes<Record<string, unknown>>(manifest);
      return typesOf(manifest).map(({ name }) => ({
        codec: codecOf(codecs, name),
        seeds: fc
          .sample(arbitraryOf(manifest, name), { numRuns: 5, seed: 7 })
          .map((value) => codecOf(codecs, name).toJson(value)),
      }));
    });
    const random = randomSource(13).below;
    let refused = 0;
    let taken = 0;
    for (let i = 0; i < MUTATIONS_PER_DIRECTION; i++) {
      const { codec, seeds } = pick(inputs, random);
      const mutated = mutateJson(JSON.parse(pick(seeds, random)), random);
      try {
        const text = codec.toJson(codec.fromJson(mutated));
        assert.equal(codec.toJson(codec.fromJson(JSON.parse(text))), text);
        taken++;
      } catch (error) {
        if (!(error instanceof JsonDecodeError)) throw error;
        refused++;
      }
    }
    assert.ok(
      refused > MUTATIONS_PER_DIRECTION / 10 && taken > MUTATIONS_PER_DIRECTION / 100,
      `${refused}, ${taken}`,
    );
  });
});
