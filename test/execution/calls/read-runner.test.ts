import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { ReadRunner } from '../../../src/execution/calls/read-runner.js';
import { TextGas, WORK_GAS } from '../../../src/execution/calls/work-gas.js';
import type { ReadRequest } from '../../../src/execution/read-requests.js';
import { ContractInterfaces } from '../../../src/ledger/contract-interfaces.js';
import { PURE_CRYPTO } from '../../support/crypto/pure-crypto.js';
import { event, storeOf } from '../../support/worlds/event-chain.js';

test('each read reports the gas of what it fetches and examines', async (t) => {
  const many = Array.from({ length: 3_000 }, () => event(1, [1]));
  const store = await storeOf(t, [[many], [[event(2, [1])]], [[]]]);
  const runner = new ReadRunner({
    store,
    crypto: PURE_CRYPTO,
    interfaces: new ContractInterfaces(store, PURE_CRYPTO),
  });
  const logs = (from: bigint, to: bigint): ReadRequest => ({
    kind: 'logs',
    query: {
      contracts: [],
      topics: [[], [new Uint8Array(32)]],
      from,
      to,
      limit: 10,
      maxLength: 1_000,
      filter: sha256.create().digest(),
    },
  });
  const requests: readonly ReadRequest[] = [
    logs(0n, 0n),
    logs(1n, 1n),
    { kind: 'receipt', place: { height: 0n, index: 0 }, finalizedHeight: 2n },
    { kind: 'receipt', place: { height: 2n, index: 0 }, finalizedHeight: 2n },
  ];
  const [all = 0, one = 0, long = 0, short = 0] = requests.map((request) => {
    runner.answer({ kind: 'read', request });
    return Number(runner.gasUsed());
  });
  assert.ok(all > 3_000 * Number(WORK_GAS.scanned), `${all} gas for 3,000 events that do not match`);
  assert.ok(one < 20 * Number(WORK_GAS.scanned), `${one} gas for one event`);
  assert.ok(long > 3_000 * 60 * Number(WORK_GAS.fetched_byte), `${long} gas for a long receipt`);
  assert.ok(short < 2_000 * Number(WORK_GAS.fetched_byte), `${short} gas for a short receipt`);
});

test('compiling an interface text uses gas once counting has begun', async (t) => {
  const interfaces = new ContractInterfaces(await storeOf(t, [[]]), { sha256 });
  const text = 'contract C { view a() -> u8; }';
  interfaces.lenient(text);
  const gas = new TextGas(interfaces);
  gas.begin();
  assert.equal(gas.used, 0n);
  interfaces.lenient(text);
  interfaces.lenient('contract {');
  assert.equal(gas.used, WORK_GAS.text_byte * BigInt(text.length + 'contract {'.length));
});
