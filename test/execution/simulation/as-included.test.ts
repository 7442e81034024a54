// A signed transaction's simulation matches its outcome in the next block.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { sameBytes } from '../../../src/base/same-bytes.js';
import type { Action } from '../../../src/generated/ledger.js';
import type { Log, Receipt, TxSimulateResult } from '../../../src/generated/node-rpc-v1.js';
import { ALICE, alice, BOB, bob, callOf, deployOf } from '../../support/actions.js';
import { PROBE, probeCode, relayCode } from '../../support/contracts/assembled-contracts.js';
import { NATIVE_MODES } from '../../support/native-modes.js';
import { ContractNode, FIRST_TIME_MS, token } from '../../support/nodes/contract-node.js';
import { spread, sweep } from '../../support/sweep.js';
import { CONTRACTS, contractAbi } from '../../support/worlds/contract-world.js';

const computeAbi = contractAbi('compute');
const tokenCode = Uint8Array.from(readFileSync(join(CONTRACTS, 'token', 'token.wasm')));
const tokenIdl = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');
const address = (text: string) => Buffer.from(text.slice(2), 'hex');

type Choice = (world: ContractNode) => Action;

/** Actions of every kind with every outcome. */
const choices: fc.Arbitrary<Choice> = fc.oneof(
  fc.record({ to: fc.constantFrom(7, 8, 9), amount: fc.constantFrom(0n, 1n, 10n ** 20n) }).map(
    ({ to, amount }): Choice =>
      () => ({ type: 'transfer', value: { to: new Uint8Array(20).fill(to), amount } }),
  ),
  fc.constant<Choice>(() => ({ type: 'transfer', value: { to: alice.address, amount: 3n } })),
  fc.constantFrom('1', '250', '0', '99999999').map(
    (amount): Choice =>
      (world) =>
        callOf(world.token, token.function('transfer').encodeCall([BOB, amount])),
  ),
  fc.constantFrom('5', '99999999').map(
    (amount): Choice =>
      (world) => ({
        type: 'batch',
        value: ['3', amount].map((each) => ({
          contract: address(world.token),
          input: token.function('burn').encodeCall([each]),
          value: 0n,
        })),
      }),
  ),
  fc.constantFrom(...Object.values(PROBE)).map(
    (input): Choice =>
      (world) =>
        callOf(world.probe, input, input === PROBE.value ? 17n : 0n),
  ),
  fc.constant<Choice>(() => callOf(`0x${'66'.repeat(20)}`, '0x00')),
  fc.constantFrom('0x', '0x01').map(
    (input): Choice =>
      () =>
        deployOf(probeCode, address(input)),
  ),
  fc.constant<Choice>(() =>
    deployOf(tokenCode, token.function('init').encodeCall(['Other', 'OTH', 2, '77', ALICE, ALICE]), tokenIdl),
  ),
  fc.constant<Choice>(() => deployOf(Uint8Array.of(0, 1, 2))),
);

const plain = ({ contract, topics, data, event, log_index }: Log) => ({
  contract,
  topics,
  data,
  event,
  log_index,
});

function assertSame(simulated: TxSimulateResult, receipt: Receipt): void {
  assert.deepEqual(simulated.status, receipt.status);
  assert.equal(simulated.gas_used, receipt.gas_used);
  assert.equal(simulated.fee, receipt.fee);
  assert.deepEqual(simulated.contract, receipt.contract);
  assert.deepEqual(simulated.decoded, receipt.decoded);
  assert.deepEqual(simulated.logs.map(plain), receipt.logs.map(plain));
  if (receipt.status.type === 'success') assert.deepEqual(simulated.output, receipt.output);
}

for (const native of spread(NATIVE_MODES, 1)) {
  describe(`simulations match inclusion, --native ${native}`, () => {
    let world: ContractNode;
    /** Of the last block. */
    let height = 2;

    before(async () => {
      world = await ContractNode.start({ native, workers: '2' });
    });
    after(() => world?.stop());

    test('calls through another contract need more gas than they use', async () => {
      const { client } = world;
      const relay = (await client.predict_address({ deployer: alice.address })).address;
      const compute = (await client.predict_address({ deployer: alice.address, offset: 1n })).address;
      const code = Uint8Array.from(readFileSync(join(CONTRACTS, 'compute', 'compute.wasm')));
      await world.seal([deployOf(relayCode), deployOf(code)]);
      const count = computeCount(20_000);
      const relayTo = (target: Uint8Array, input: Uint8Array) => Buffer.concat([target, input]);
      for (const [depth, input] of [
        [1, relayTo(compute, count)],
        [2, relayTo(relay, relayTo(compute, count))],
        [3, relayTo(relay, relayTo(relay, relayTo(compute, count)))],
      ] as const) {
        const action = callOf(`0x${Buffer.from(relay).toString('hex')}`, input);
        const transaction = await world.transaction(action, {});
        const simulated = await world.simulate(transaction);
        assert.equal(simulated.status.type, 'success');
        assert.ok(simulated.gas_estimate > simulated.gas_used, `depth ${depth}`);
        const enough = await world.simulate({ ...transaction, gas_limit: simulated.gas_estimate });
        assert.deepEqual(enough.status, simulated.status);
        assert.deepEqual(enough.output, simulated.output);
        const less = await world.simulate({ ...transaction, gas_limit: simulated.gas_estimate - 1n });
        assert.notEqual(less.status.type, 'success');
      }
    });

    test('one by one, with their state changes', async () => {
      const { client } = world;
      await eachSample(fc.tuple(choices, fc.nat(2)), sweep(6), async ([choose, lane]) => {
        const encoded = await world.signed(choose(world), { lane, gas_limit: 12_000_000n });
        const timestampMs = FIRST_TIME_MS + 1_000 * ++height;
        const before = await client.accounts({ addresses: [alice.address] });
        const simulated = await client.tx_simulate({
          encoded,
          block_override: { timestamp_ms: BigInt(timestampMs) },
        });
        const { tx_hash } = await client.tx_submit({ encoded });
        await world.node.sealNow(timestampMs);
        const { receipt } = await client.tx_receipt({ tx_hash });
        assert.ok(receipt !== undefined);
        assertSame(simulated, receipt);
        assert.equal(simulated.logs[0]?.tx_hash.toString(), receipt.logs[0]?.tx_hash.toString());
        assert.equal(simulated.height, receipt.height - 1n);

        const addresses = [alice.address, ...simulated.state_diff.map((each) => each.address)];
        const after = await client.accounts({ addresses });
        const [own] = after.accounts;
        const changed = simulated.state_diff.find((each) => sameBytes(each.address, alice.address));
        // The fee goes to the development validator, not to alice.
        assert.equal(changed?.balance?.before, before.accounts[0]?.balance);
        assert.equal(changed?.balance?.after, own?.balance);
        for (const [place, diff] of simulated.state_diff.entries()) {
          const account = after.accounts[place + 1];
          if (diff.balance !== undefined) assert.equal(diff.balance.after, account?.balance);
          if (diff.code_hash !== undefined) {
            const metadata = await client.contract_metadata({ address: diff.address });
            assert.deepEqual(diff.code_hash, metadata.code_hash);
          }
          for (const { slot, after: value } of diff.slots) {
            const again = await client.tx_simulate_access({
              encoded,
              at: { type: 'after_tx', value: tx_hash },
            });
            assert.equal(again.simulation.status.type, 'invalid');
            const { slot: proved } = await client.state_proof({ contract: diff.address, slot });
            assert.deepEqual(proved?.value, value);
          }
        }
      });
    });

    test('many in one block, as a bundle', async () => {
      const { client } = world;
      await eachSample(fc.array(choices, { minLength: 2, maxLength: 8 }), sweep(2), async (choose) => {
        const first = await world.transaction({ type: 'transfer', value: { to: bob.address, amount: 0n } });
        const transactions: Uint8Array[] = [];
        for (const [place, each] of choose.entries()) {
          const nonce = first.nonce + BigInt(place);
          transactions.push(await world.signed(each(world), { nonce, gas_limit: 12_000_000n }));
        }
        const bundle = await client.chain_simulateBundle({ transactions });
        const hashes: Uint8Array[] = [];
        for (const encoded of transactions) hashes.push((await client.tx_submit({ encoded })).tx_hash);
        await world.node.sealNow(FIRST_TIME_MS + 1_000 * ++height);
        let gas = 0n;
        for (const [place, tx_hash] of hashes.entries()) {
          const { receipt } = await client.tx_receipt({ tx_hash });
          const simulated = bundle.results[place];
          assert.ok(receipt !== undefined && simulated !== undefined);
          if (choose[place]?.(world).type !== 'call' || !isTime(choose[place]?.(world))) {
            assertSame(simulated, receipt);
          }
          gas += simulated.gas_used;
        }
        assert.equal(bundle.gas_used, gas);
        assert.equal(
          bundle.atomic_success,
          bundle.results.every(({ status }) => status.type === 'success'),
        );
      });
    });
  });
}

/** Runs a check on random values in sequence on a growing chain, which rules out shrinking. */
async function eachSample<T>(
  values: fc.Arbitrary<T>,
  count: number,
  use: (value: T) => Promise<void>,
): Promise<void> {
  const seed = Math.floor(Math.random() * 2 ** 31);
  for (const [index, value] of fc.sample(values, { seed, numRuns: count }).entries()) {
    try {
      await use(value);
    } catch (error) {
      throw new Error(`sample ${index} of seed ${seed}: ${String(error)}`, { cause: error });
    }
  }
}

/** Whether a call's outcome depends on the block time, which is unknown when a bundle is simulated. */
function isTime(action: Action | undefined): boolean {
  return action?.type === 'call' && Buffer.from(action.value.input).toString('hex') === '01';
}

function computeCount(iterations: number): Uint8Array {
  return computeAbi.function('count').encodeCall([iterations]);
}
