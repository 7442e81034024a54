import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readParams } from '../../../src/execution/views/call-params.js';
import { resultJson } from '../../../src/execution/views/call-result.js';
import type { BlockRef, ViewCallArgs } from '../../../src/generated/node-rpc-v1.js';
import { rpcTypes } from '../../../src/ledger/rpc-codecs.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const u53 = fc.bigInt(0n, 2n ** 53n - 1n);
const u128 = fc.bigInt(0n, 2n ** 128n - 1n);
const at: fc.Arbitrary<BlockRef> = fc.oneof(
  fc.constant({ type: 'finalized' } as const),
  u53.map((value) => ({ type: 'height', value }) as const),
  bytes(32).map((value) => ({ type: 'after_tx', value }) as const),
);
const args: fc.Arbitrary<ViewCallArgs> = fc.record(
  {
    contract: bytes(20),
    method: fc.string({ unit: 'grapheme' }),
    // Null would stand for an absent member.
    args: fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) ?? 0),
    input: fc.uint8Array({ maxLength: 100 }),
    idl: fc.string(),
    caller: bytes(20),
    value: u128,
    gas_limit: u53,
    at,
    overrides: fc.array(
      fc.record(
        {
          address: bytes(20),
          balance: u128,
          slots: fc.array(fc.record({ slot: bytes(32), value: fc.uint8Array() }, { noNullPrototype: true })),
        },
        { requiredKeys: ['address'], noNullPrototype: true },
      ),
    ),
    block_override: fc.record(
      { height: u53, timestamp_ms: u53, base_fee: u128 },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
  { requiredKeys: ['contract'], noNullPrototype: true },
);

test('parameters are decoded as declared, even with the struct under its name', () => {
  fc.assert(
    fc.property(args, (call) => {
      const text = rpcTypes.ViewCallArgs.toJson(call);
      assert.deepEqual(readParams('view_call', text), call);
      assert.deepEqual(readParams('view_call', `{"args":${text}}`), call);
    }),
  );
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['[]', /params: .*by name/],
    ['{}', /params\.contract/],
    ['{"contract":"0x00"}', /params\.contract/],
    ['{"contract":"0x0000000000000000000000000000000000000000","gaslimit":1}', /did you mean gas_limit/],
  ];
  for (const [text, message] of wrong) assert.throws(() => readParams('view_call', text), message);
});

test('the fast result writer matches the codec', () => {
  fc.assert(
    fc.property(fc.uint8Array(), u53, fc.nat(), bytes(32), (output, gasUsed, height, hash) => {
      const block = {
        env: {
          chainId: 1n,
          height: BigInt(height),
          timestampMs: 0n,
          baseFee: 0n,
          slotPrice: 0n,
          gasLimit: 0n,
          proposer: '00'.repeat(20),
        },
        hash,
        nextBaseFee: 0n,
        json: `"height":${height},"block_hash":"${Buffer.from(hash).toString('hex')}"`,
        logPlace: '',
      };
      const json = resultJson({
        outcome: { status: 'success', gasUsed, output, trap: undefined },
        block,
        logs: [],
        input: new Uint8Array(0),
        abi: undefined,
        raisedBy: undefined,
        abiOf: () => undefined,
      });
      const expected = rpcTypes.ViewCallResult.toJson({
        status: { type: 'success' },
        output,
        gas_used: gasUsed,
        height: BigInt(height),
        block_hash: hash,
        logs: [],
      });
      assert.equal(json, expected);
    }),
  );
});
