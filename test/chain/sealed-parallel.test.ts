// Blocks with openings, envelopes, contract calls and transfers on shared state: the same result with any number of
// workers, serially, and in traces.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import { contractAddress } from '../../src/crypto/address.js';
import { loadBls } from '../../src/crypto/load-bls.js';
import { committedHashes } from '../../src/execution/block-environment.js';
import { CallRunner } from '../../src/execution/calls/call-runner.js';
import { ContractMachine } from '../../src/execution/contract-machine.js';
import { createClaim, decodeWantedWriteLog } from '../../src/execution/tracing/replay-messages.js';
import { BlockReplays } from '../../src/execution/views/block-replays.js';
import { ChangeTable } from '../../src/execution/views/change-table.js';
import { StateCache } from '../../src/execution/views/state-cache.js';
import { StateReferences } from '../../src/execution/views/state-reference.js';
import type { Action } from '../../src/generated/ledger.js';
import { BlockReader } from '../../src/ledger/block-store.js';
import { ContractInterfaces } from '../../src/ledger/contract-interfaces.js';
import { addressHex } from '../../src/ledger/hex-types.js';
import { rpcTypes } from '../../src/ledger/rpc-codecs.js';
import { verifyDirectory } from '../../src/node/offline/verify-directory.js';
import { EngineRegistry } from '../../src/vm/engine-registry.js';
import { createHostCrypto } from '../../src/vm/host-crypto.js';
import { WasmEngine } from '../../src/vm/wasm/wasm-engine.js';
import { deployOf } from '../support/actions.js';
import { counterCode } from '../support/contracts/small-contracts.js';
import { Sealing } from '../support/crypto/sealing.js';
import { defaultConfig } from '../support/default-config.js';
import { sweep } from '../support/sweep.js';
import { verified } from '../support/worlds/block-transfer.js';
import { ChainWorld } from '../support/worlds/chain-world.js';

const CODE = counterCode(new Uint8Array(32).fill(1), Buffer.from('no'));
const GAS = 20_000_000n;
const WORKERS = [2, 1, 4] as const;
const SENDERS = 6;

/** A transaction of a block, open or sealed to a height within the next blocks. */
interface Step {
  readonly from: number;
  readonly sealed: boolean;
  readonly kind: 'transfer' | 'call' | 'much' | 'nothing';
  readonly amount: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  from: fc.integer({ min: 1, max: SENDERS }),
  sealed: fc.boolean(),
  kind: fc.constantFrom('transfer', 'call', 'much', 'nothing'),
  amount: fc.integer({ min: 1, max: 9 }),
});

test('openings and envelopes among calls and transfers give one result with 1, 2 and 4 workers, serially, and in traces', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 9 }), { minLength: 3, maxLength: 3 }), run),
    { numRuns: Math.min(sweep(1), 3), endOnFailure: true },
  );
});

async function run(rounds: readonly (readonly Step[])[]): Promise<void> {
  const worlds = await Promise.all(WORKERS.map((workers) => ChainWorld.open({ workers })));
  const [world] = worlds;
  assert.ok(world !== undefined);
  try {
    const sealing = await Sealing.of(world);
    const contract = contractAddress(world.crypto, world.account(0), 0n);
    const nonces = new Map<number, bigint>();
    const advance = async () => {
      const block = await world.propose({ keyOf: (height) => sealing.key(height) });
      for (const other of worlds.slice(1)) await verified(other, block);
      for (const each of worlds) await each.blockChain.commit(block.hash);
      return block;
    };
    world.submit(world.transaction({ gasLimit: GAS, action: deployOf(CODE) }));
    await advance();
    const blocks: PendingBlock[] = [];
    for (const steps of [...rounds, [], [], []]) {
      const height = world.chain.tip.header.height + 1n;
      for (const { from, sealed, kind, amount } of steps) {
        const nonce = nonces.get(from) ?? 0n;
        nonces.set(from, nonce + 1n);
        // Transactions that an account cannot pay for are included only while sealed.
        const open = kind === 'much' && !sealed ? 'transfer' : kind;
        const action = actionOf(open, amount, contract, world.account((from % SENDERS) + 1));
        const sending = { from, nonce, action };
        const small = { gasLimit: 3_000_000n, opensAt: height + 2n };
        const content = kind === 'nothing' ? { content: Uint8Array.of(9) } : {};
        if (sealed) world.submit(sealing.envelope({ ...sending, ...small, ...content }));
        else world.submit(world.transaction({ ...sending, gasLimit: 500_000n }));
      }
      blocks.push(await advance());
    }
    const sealedSteps = rounds.flat().filter(({ sealed }) => sealed).length;
    assert.equal(blocks.flatMap(({ openings }) => openings).length, sealedSteps);
    await traceAll(world, blocks);
  } finally {
    for (const each of worlds) await each.close();
  }
  const { directory, native } = world;
  const config = defaultConfig({ dataDir: directory, native, workers: 1, cacheBytes: 8_000_000 });
  const report = await verifyDirectory(config, { onProgress: () => undefined });
  assert.equal(
    report.difference,
    undefined,
    JSON.stringify(report.difference, (_, v) => String(v)),
  );
  for (const each of worlds) await ChainWorld.discard(each.directory);
}

function actionOf(kind: Step['kind'], amount: number, contract: Uint8Array, to: Uint8Array): Action {
  if (kind === 'call') {
    const input = Buffer.alloc(12);
    input.writeBigUInt64LE(BigInt(amount), 4);
    return { type: 'call', value: { contract, input, value: 0n } };
  }
  return { type: 'transfer', value: { to, amount: kind === 'much' ? 10n ** 30n : BigInt(amount) } };
}

/**
 * Traces every transaction, which compares the receipts, and compares accounts after each block with the stored ones.
 */
async function traceAll(world: ChainWorld, blocks: readonly PendingBlock[]): Promise<void> {
  const { store, crypto } = world;
  const tipHeight = Number(world.chain.tip.header.height);
  const machine = new ContractMachine({
    engines: new EngineRegistry({
      wasm: new WasmEngine({ crypto: createHostCrypto(crypto, await loadBls(world.native)) }),
    }),
    crypto,
    prepared: (key) => store.get('prepared', key),
    committedHash: committedHashes(store),
  });
  const changes = ChangeTable.create(tipHeight);
  const setup = {
    maxCallGas: 100_000_000,
    maxPipelineSteps: 100,
    maxBundleTransactions: 100,
    changes: changes.shared,
  };
  const head = { tipHeight, finalizedHeight: tipHeight, nowMs: 0 };
  const runner = new CallRunner(setup, {
    store,
    crypto,
    machine,
    interfaces: new ContractInterfaces(store, crypto),
  });
  const reader = new BlockReader(store);
  const cache = new StateCache({ store, crypto, changes });
  for (const { header, receipts, openings, transactions } of blocks) {
    const height = Number(header.height);
    const { parent, block } = new StateReferences({ store, crypto, machine, cache }).executed(height, head);
    const replay = new BlockReplays({ crypto, machine, blocks: reader });
    if (receipts.length > 0) {
      const end = { height: header.height, index: receipts.length };
      const last = replay.before(end, { env: block.env, parent }, []);
      for (let account = 0; account < 10; account++) {
        const address = addressHex(world.account(account));
        const stored = cache.at(header.height).account(address).record;
        assert.deepEqual(last.account(address).record, stored, `account ${account} after block ${height}`);
      }
    }
    for (const { hash } of [...openings, ...transactions]) {
      const args = rpcTypes.ChainTraceTransactionArgs.toJson({ tx_hash: hash });
      const call = { kind: 'chain_traceTransaction', params: args } as const;
      let answer = runner.answer(call, head).json;
      const wanted = decodeWantedWriteLog(answer);
      if (wanted !== undefined) {
        const { height, index } = wanted;
        const request = { height, covered: 0, upTo: index, round: 1, ticket: 1 };
        const empty = { height, parts: [], claim: createClaim() };
        const { part } = runner.answer({ kind: 'replay', request, writeLog: empty }, head);
        assert.ok(part !== undefined);
        answer = runner.answer({ ...call, writeLog: { height, parts: [part] } }, head).json;
      }
      assert.ok(answer.startsWith('{"receipt"'), answer.slice(0, 300));
    }
  }
}
