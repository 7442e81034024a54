// Codecs are generated as TypeScript for known types, and built at run time for others. Both must give the same bytes,
// the same JSON and the same errors.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { ledgerManifest } from '../../../src/generated/ledger.js';
import { nodeRpcV1Manifest } from '../../../src/generated/node-rpc-v1.js';
import { nodeRpcV1MethodCodecs } from '../../../src/generated/node-rpc-v1-codecs.js';
import type { Codec } from '../../../src/idl/codecs/codec.js';
import { BorshError, JsonDecodeError, JsonEncodeError } from '../../../src/idl/codecs/codec-errors.js';
import { type MethodCodec, paramsForm } from '../../../src/idl/codecs/method-codecs.js';
import type { IdlSource } from '../../../src/idl/compiler/diagnostics.js';
import { generateUserFiles } from '../../../src/idl/compiler/user-files.js';
import type { Manifest } from '../../../src/idl/manifest.js';
import { TypeTable } from '../../../src/idl/type-table.js';
import { arbitraryOf, arbitraryOfFields } from '../../support/arbitraries.js';
import { UserProject } from '../../support/contracts/user-project.js';
import { mutateBytes, mutateJson, pick } from '../../support/forged/codec-mutations.js';
import { packageRoot } from '../../support/package-root.js';
import { randomSource } from '../../support/random-source.js';
import { compileInterface, compileTypes } from '../../support/runtime-codecs.js';
import { SAMPLE_IDL, sampleManifest } from '../../support/sample-idl.js';
import { sweep } from '../../support/sweep.js';

const MUTATIONS = sweep(6_000);

type Codecs = Readonly<Record<string, Codec<unknown>>>;

const project = new UserProject();
after(() => project.remove());
const idl = (name: string): IdlSource => ({
  name,
  text: readFileSync(join(packageRoot(import.meta.url), 'idl', name), 'utf8'),
});
const api = [{ ...idl('ledger.idl'), binary: true }, idl('node_rpc_v1.idl')];
for (const { name, text } of [
  ...generateUserFiles(api, 'api'),
  ...generateUserFiles([{ name: 'sample.idl', text: SAMPLE_IDL }], 'sample'),
]) {
  project.write(name, text);
}
const mistakes = project.compile();
const load = async (name: string): Promise<Record<string, unknown>> =>
  mistakes.length === 0 ? project.load(name) : {};
const { apiCodecs } = await load('api-codecs.ts');
const { sampleCodecs, sampleMethodCodecs } = await load('sample-codecs.ts');

test("code generated for a user's IDL compiles under the strictest settings", () => {
  assert.deepEqual(mistakes, []);
});

const UNITS: readonly (readonly [name: string, manifest: Manifest, generated: Codecs])[] = [
  ['ledger.idl', ledgerManifest, apiCodecs as Codecs],
  ['node_rpc_v1.idl', nodeRpcV1Manifest, apiCodecs as Codecs],
  ['the sample', sampleManifest(), sampleCodecs as Codecs],
];

/** The outcome: the value, or every field of the error. */
function outcome(run: () => unknown): object {
  try {
    return { value: run() };
  } catch (error) {
    const isExpected =
      error instanceof BorshError || error instanceof JsonDecodeError || error instanceof JsonEncodeError;
    if (!isExpected) throw error;
    return { ...error, name: error.name, message: error.message };
  }
}

function names({ structs, enums }: Manifest): readonly string[] {
  return [...structs, ...enums].map(({ name }) => name);
}

function both(generated: Codecs, runtime: Codecs, name: string): readonly [Codec<unknown>, Codec<unknown>] {
  return [generated[name] ?? assert.fail(name), runtime[name] ?? assert.fail(name)];
}

describe('generated codecs and run-time codecs', () => {
  for (const [unit, manifest, generated] of UNITS) {
    const runtime: Codecs = compileTypes<Record<string, unknown>>(manifest);

    test(`agree on every value of ${unit}`, () => {
      for (const name of names(manifest)) {
        const [one, other] = both(generated, runtime, name);
        fc.assert(
          fc.property(arbitraryOf(manifest, name), (value) => {
            const text = one.toJson(value);
            assert.equal(other.toJson(value), text);
            assert.deepEqual(
              outcome(() => other.encode(value)),
              outcome(() => one.encode(value)),
            );
            assert.deepEqual(other.fromJson(JSON.parse(text)), one.fromJson(JSON.parse(text)));
          }),
          { numRuns: sweep(4) },
        );
      }
    });
  }

  const inputs = UNITS.flatMap(([, manifest, generated]) => {
    const runtime: Codecs = compileTypes<Record<string, unknown>>(manifest);
    const table = new TypeTable(manifest);
    return names(manifest).map((name) => ({
      isBinary: !table.holdsJson(name),
      codecs: both(generated, runtime, name),
      values: fc.sample(arbitraryOf(manifest, name), { numRuns: 5, seed: 3 }),
    }));
  });

  test(`agree on ${MUTATIONS} mutated Borsh inputs, errors included`, () => {
    const binary = inputs.filter(({ isBinary }) => isBinary);
    const random = randomSource(17).below;
    for (let i = 0; i < MUTATIONS; i++) {
      const { codecs, values } = pick(binary, random);
      const [one, other] = codecs;
      const mutated = mutateBytes(one.encode(pick(values, random)), random);
      assert.deepEqual(
        outcome(() => other.decode(mutated)),
        outcome(() => one.decode(mutated)),
      );
    }
  });

  test(`agree on ${MUTATIONS} mutated JSON inputs and values, errors included`, () => {
    const random = randomSource(19).below;
    for (let i = 0; i < MUTATIONS; i++) {
      const { codecs, values } = pick(inputs, random);
      const [one, other] = codecs;
      const value = pick(values, random);
      const mutated = mutateJson(JSON.parse(one.toJson(value)), random);
      assert.deepEqual(
        outcome(() => other.fromJson(mutated)),
        outcome(() => one.fromJson(mutated)),
      );
      const wrong = mutateJson(value, random);
      assert.deepEqual(
        outcome(() => other.toJson(wrong)),
        outcome(() => one.toJson(wrong)),
      );
      assert.deepEqual(
        outcome(() => other.encode(wrong)),
        outcome(() => one.encode(wrong)),
      );
    }
  });

  test('agree on the parameters and results of methods', () => {
    const interfaces = [
      [nodeRpcV1Manifest, 'NodeRpcV1', nodeRpcV1MethodCodecs],
      [sampleManifest(), 'Sample', sampleMethodCodecs as ReadonlyMap<string, MethodCodec>],
    ] as const;
    const random = randomSource(23).below;
    const counts = { values: 0, wrapped: 0, all: 0 };
    for (const [manifest, interfaceName, generated] of interfaces) {
      const runtime = compileInterface(manifest, interfaceName);
      const { methods } = manifest.interfaces.find(({ name }) => name === interfaceName) ?? assert.fail();
      const types = new TypeTable(manifest);
      assert.deepEqual([...generated.keys()], [...runtime.keys()]);
      for (const method of methods) {
        const one = generated.get(method.name) ?? assert.fail(method.name);
        const other = runtime.get(method.name) ?? assert.fail(method.name);
        const facts = ({ name, qualifiedName, tier, cost }: MethodCodec) => [name, qualifiedName, tier, cost];
        assert.deepEqual(facts(one), facts(other));
        /** @returns true if both gave a value */
        const agree = (act: (codec: MethodCodec) => unknown): boolean => {
          const expected = outcome(() => act(one));
          assert.deepEqual(
            outcome(() => act(other)),
            expected,
          );
          const isValue = 'value' in expected;
          counts.all++;
          if (isValue) counts.values++;
          return isValue;
        };
        const sole = types.soleStruct(method.params);
        const { wrapper } = paramsForm(method, types);
        const params = fc.sample(arbitraryOfFields(manifest, sole?.fields ?? method.params), {
          numRuns: 50,
          seed: 23,
        });
        const results =
          method.returns === undefined
            ? [null]
            : fc.sample(arbitraryOf(manifest, method.returns), { numRuns: 50, seed: 29 });
        agree((codec) => codec.decodeParams(undefined));
        for (let i = 0; i < 100; i++) {
          const perhapsMutated = (value: unknown) => (i % 2 === 0 ? value : mutateJson(value, random));
          const [given, result] = [pick(params, random), pick(results, random)];
          const isWrapped = wrapper !== undefined && random(2) === 0;
          const plain: unknown = JSON.parse(one.encodeParams(given));
          const sent = perhapsMutated(isWrapped ? { [wrapper]: plain } : plain);
          if (agree((codec) => codec.decodeParams(sent)) && isWrapped) counts.wrapped++;
          const answered = perhapsMutated(JSON.parse(one.encodeResult(result)));
          agree((codec) => codec.decodeResult(answered));
          const [wrong, wrongResult] = [perhapsMutated(given), perhapsMutated(result)];
          agree((codec) => codec.encodeParams(wrong));
          agree((codec) => codec.encodeResult(wrongResult));
        }
      }
    }
    assert.ok(counts.values > counts.all / 2, `only ${counts.values} of ${counts.all} were values`);
    assert.ok(counts.all - counts.values > counts.all / 5, 'hardly any was refused');
    assert.ok(counts.wrapped > 500, `only ${counts.wrapped} were wrapped`);
  });
});
