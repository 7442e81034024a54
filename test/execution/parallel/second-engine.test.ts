import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Candidates } from '../../../src/execution/atomic-groups.js';
import { BlockExecution } from '../../../src/execution/block-execution.js';
import { encodeByteStrings } from '../../../src/execution/parallel/flat-bytes.js';
import { addInParallel } from '../../../src/execution/parallel/parallel-execution.js';
import { decodePredictions, predict } from '../../../src/execution/parallel/predict.js';
import type { Prediction, Predictions } from '../../../src/execution/parallel/predictions.js';
import type { Action } from '../../../src/generated/ledger.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../../../src/ledger/transaction-envelope.js';
import { seededRandom } from '../../../src/load/workload.js';
import { sweep } from '../../support/sweep.js';
import { type BlockWorld, hexOf, numbered, textOfBlock, unsigned } from '../../support/worlds/block-world.js';
import { EvmWorld, evmDeployment, SENDER } from '../../support/worlds/evm-world.js';
import { ArbitraryBudget, InProcessRunner } from '../../support/worlds/speculation-runners.js';
import { initOf, push, tiny, when, wordOf } from '../../support/worlds/tiny-engine.js';

const SENDERS = [2, 3, 4, 5, 6, 7].map(numbered);
const BLOCKS = sweep(12);

const COUNT = tiny(0n, 'sload', 1n, 'add', 0n, 'sstore');

/** Contracts whose calls conflict in storage, code, balances and deployment counts. */
function furnish(world: EvmWorld): Uint8Array[] {
  const counter = world.deploy(initOf(tiny(COUNT, 0n, 'sload', 'return')));
  const library = world.deploy(
    initOf(tiny(COUNT, 'caller', 1n, 'sstore', 'value', 'log', 'input', when(3n, 'revert'), 'stop')),
  );
  const proxies = [1, 2].map(() =>
    world.deploy(initOf(tiny('input', push(library), 'delegate', 2n, 'sstore', 'stop'))),
  );
  const child = initOf(tiny(COUNT, 'value', 'return'), 'caller', 5n, 'sstore');
  // Creates, stores and calls a contract; reverts all of it if the input says so.
  const factory = world.deploy(
    initOf(
      tiny(
        tiny(1n, ['create', child], 0n, 'sstore', 9n, 0n, 0n, 'sload', 'call', 1n, 'sstore'),
        tiny('input', when(4n, 'revert'), 'stop'),
      ),
    ),
  );
  const calls = (to: Uint8Array, value: bigint) => tiny('input', value, push(to), 'call');
  // `outer` ignores the outcome of its call to `factory`, and reads the code of the factory's next contract before
  // and after.
  const next = world.made(factory, 3n);
  const size = (slot: bigint) => tiny(push(next), 'codeSize', slot, 'sstore');
  const outer = world.deploy(
    initOf(tiny(size(1n), calls(factory, 2n), 3n, 'sstore', size(2n), push(next), 'codeHash', 'log', 'stop')),
  );
  const payer = world.deploy(
    initOf(tiny(calls(numbered(900), 1n), push(numbered(900)), 'balance', 0n, 'sstore', 'stop')),
  );
  const facts = world.deploy(
    initOf(
      tiny(
        'height',
        1n,
        'add',
        'blockHash',
        'height',
        'proposer',
        'add',
        'add',
        'log',
        calls(counter, 0n),
        'stop',
      ),
    ),
  );
  return [counter, library, ...proxies, factory, outer, payer, facts];
}

function randomAction(contracts: readonly Uint8Array[], random: () => number): Action {
  const pick = (most: number) => Math.floor(random() * most);
  const input = wordOf(BigInt(pick(3) === 0 ? 1 : 0));
  const call = () => ({
    contract: contracts[pick(contracts.length)] ?? SENDER,
    input,
    value: BigInt(pick(4)),
  });
  switch (pick(8)) {
    case 0:
      return evmDeployment(
        initOf(tiny(COUNT, BigInt(pick(3)), 'return'), 1n, BigInt(pick(3)), 'sstore'),
        BigInt(pick(2)),
      );
    case 1:
      return {
        type: 'transfer',
        value: { to: contracts[pick(contracts.length)] ?? SENDER, amount: BigInt(pick(9)) },
      };
    case 2:
      return { type: 'batch', value: [call(), call()] };
    default:
      return { type: 'call', value: call() };
  }
}

function randomBlock(
  chain: BlockWorld,
  contracts: readonly Uint8Array[],
  random: () => number,
): Candidates<VerifiedTransaction> {
  const nonces = new Map<string, bigint>();
  const transactions = Array.from({ length: 4 + Math.floor(random() * 16) }, () => {
    const sender = SENDERS[Math.floor(random() * SENDERS.length)] ?? SENDER;
    const nonce = nonces.get(hexOf(sender)) ?? chain.nonce(sender);
    nonces.set(hexOf(sender), nonce + 1n);
    const gas = random() < 0.2 ? 60_000n + BigInt(Math.floor(random() * 400_000)) : 3_000_000n;
    return unsigned(chain.crypto, sender, nonce, randomAction(contracts, random), { gas });
  });
  return { transactions, bundles: transactions.length > 6 ? [{ start: 2, length: 2 }] : [] };
}

function predicted(chain: BlockWorld, transactions: readonly TransactionEnvelope[]): Predictions {
  const known = new Map<TransactionEnvelope, Prediction>();
  for (const transaction of transactions) {
    const input = { env: chain.env(), transactions: encodeByteStrings([transaction.encoded]) };
    const [prediction] = decodePredictions(predict(input, { source: chain.state, machine: chain.machine }));
    if (prediction !== undefined) known.set(transaction, prediction);
  }
  return { of: (transaction) => known.get(transaction) };
}

test('blocks with delegate calls, creations and payments give the same result in parallel and serial execution', async () => {
  const world = await EvmWorld.open();
  const { chain } = world;
  for (const sender of SENDERS) chain.state.fund(sender, 10n ** 20n);
  const contracts = furnish(world);
  for (const contract of contracts) world.try({ type: 'transfer', value: { to: contract, amount: 20n } });
  const random = seededRandom(4);
  let reruns = 0;
  let codes = 0;
  for (let number = 0; number < BLOCKS; number++) {
    const candidates = randomBlock(chain, contracts, random);
    const serial = chain.serially(candidates);
    const expected = textOfBlock(serial);
    codes += serial.codes.length;
    for (const workers of [1, 2, 4]) {
      const predictions =
        random() < 0.5 ? predicted(chain, candidates.transactions) : { of: () => undefined };
      const runner = new InProcessRunner(workers, chain.state, chain.machine, random);
      const env = chain.env();
      const block = new BlockExecution(env, chain.state);
      const budget = new ArbitraryBudget(random);
      const options = { env, runner, predictions, minTaskGas: 1, budget };
      const parallel = await addInParallel(options, candidates, block);
      reruns += parallel.reruns;
      assert.equal(textOfBlock(block.finish()), expected, `block ${number}, ${workers} workers`);
    }
    chain.commit(serial);
  }
  const made = contracts.map((contract) => chain.state.account(hexOf(contract)).record.deploy_index);
  assert.ok(
    made.some((count) => count > BLOCKS / 6),
    `contracts made inside calls: ${made.join(', ')}`,
  );
  assert.ok(reruns > BLOCKS && codes > BLOCKS, `${reruns} reruns, ${codes} codes`);
});
