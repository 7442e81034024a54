// Load, SIGKILL at a random moment, restart on the same directory: everything reported still holds.
// HEDDLE_CRASH_ROUNDS sets the number of rounds (fifty: HEDDLE_CRASH_ROUNDS=50 npm test -- e2e/crash), HEDDLE_CRASH_SEED replays one.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hex } from '../outside/bytes.js';
import { ChainAuditor } from '../outside/chain-auditor.js';
import { RpcClient } from '../outside/rpc.js';
import { TxByHashResult } from '../outside/rpc-shapes.js';
import {
  devAllocation,
  devWallets,
  drained,
  newWallets,
  nodeStatus,
  Random,
  submitAll,
  submitEvery,
  Traffic,
} from '../outside/traffic.js';
import { type SentTransaction, transfer, type Wallet } from '../outside/wallet.js';
import { NATIVE_MODES } from '../support/native-modes.js';
import { heddle } from '../support/nodes/command-line.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { sweep } from '../support/sweep.js';

const ROUNDS = Number(process.env['HEDDLE_CRASH_ROUNDS'] ?? sweep(0.6));
/** A single round is for the first mode. */
const MODES = ROUNDS > 1 ? NATIVE_MODES : NATIVE_MODES.slice(0, 1);
const SEED = Number(process.env['HEDDLE_CRASH_SEED'] ?? Date.now() % 1_000_000);
const LANES = 2;
const BATCH = 25;
const SENDERS = 4;

/** Facts the node reported to callers before it was killed. */
interface Told {
  /** Height to hash of blocks that `status` reported as final. */
  readonly final: Map<number, string>;
  /** Hash to height of transactions that were reported included and final. */
  readonly included: Map<string, number>;
  readonly accepted: Map<string, SentTransaction>;
  /** Transactions sent without receiving a response. */
  readonly unanswered: SentTransaction[];
}

function nothingTold(): Told {
  return { final: new Map(), included: new Map(), accepted: new Map(), unanswered: [] };
}

interface World {
  readonly dataDir: string;
  readonly flags: readonly string[];
  readonly random: Random;
  readonly wallets: readonly Wallet[];
  readonly auditor: ChainAuditor;
  readonly traffic: Traffic;
}

/** Sends batches until the connection breaks and records the responses. */
async function sendUntilKilled(
  url: string,
  wallets: readonly Wallet[],
  world: World,
  told: Told,
): Promise<void> {
  const rpc = new RpcClient(url);
  try {
    for (;;) {
      const batch = Array.from({ length: BATCH }, (_, i) => {
        const wallet = wallets[i % wallets.length];
        assert.ok(wallet !== undefined);
        return world.traffic.mixed(wallet, world.wallets, LANES);
      });
      const mark = told.unanswered.length;
      told.unanswered.push(...batch);
      const { accepted, refused } = await submitAll(rpc, world.random.shuffle(batch));
      const answered = new Set(
        [...accepted, ...refused.map((entry) => entry.sent)].map((entry) => entry.hash),
      );
      const left = told.unanswered.splice(0).filter((entry) => !answered.has(entry.hash));
      told.unanswered.push(...left);
      assert.ok(told.unanswered.length <= mark + SENDERS * BATCH);
      for (const sent of accepted) told.accepted.set(sent.hash, sent);
      const [first] = refused;
      assert.equal(first, undefined, `refused under load: ${first?.failure.message}`);
    }
  } catch (error) {
    if (!isConnectionError(error)) throw error;
  } finally {
    rpc.close();
  }
}

/** Polls the tip and the status of accepted transactions until the connection breaks. */
async function watchUntilKilled(url: string, told: Told): Promise<void> {
  const rpc = new RpcClient(url);
  try {
    for (;;) {
      const status = await nodeStatus(rpc);
      if (status.finalized_height === status.tip.height) {
        told.final.set(Number(status.tip.height), hex(status.tip.hash));
      }
      for (const hash of [...told.accepted.keys()].slice(-10)) {
        const { status: at } = TxByHashResult.fromJson(
          await rpc.call('tx_by_hash', { tx_hash: hash }),
          'tx_by_hash',
        );
        assert.notEqual(at.type, 'not_found', `${hash} was accepted and is not found`);
        if (at.type === 'included' && at.value.finalized) told.included.set(hash, Number(at.value.height));
      }
      await sleep(3);
    }
  } catch (error) {
    if (!isConnectionError(error)) throw error;
  } finally {
    rpc.close();
  }
}

function isConnectionError(error: unknown): boolean {
  const code = (error as { readonly code?: unknown }).code;
  return ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ECONNABORTED'].includes(String(code));
}

/** Compares the reports before the kill with the chain and pool after it. */
async function checkTold(rpc: RpcClient, world: World, told: Told): Promise<void> {
  const { auditor } = world;
  await auditor.recheckHashes(rpc);
  const status = await auditor.advance(rpc);
  for (const [height, hash] of told.final) {
    assert.ok(status.finalized_height >= BigInt(height), `block ${height} was final and is not any more`);
    assert.equal(auditor.blockHash(height), hash, `block ${height} was final with another hash`);
  }
  for (const [hash, height] of told.included) {
    assert.equal(
      Number(auditor.transactions.get(hash)?.height),
      height,
      `the receipt of ${hash} moved or is gone`,
    );
  }
  const open = [...told.accepted.keys()].filter((hash) => !auditor.transactions.has(hash));
  const answers = await rpc.batchResults(
    open.map((hash) => ({ method: 'tx_by_hash', params: { tx_hash: hash } })),
  );
  open.forEach((hash, i) => {
    const { status: at } = TxByHashResult.fromJson(answers[i], 'tx_by_hash');
    assert.ok(at.type === 'pending' || at.type === 'included', `${hash} was accepted and is now ${at.type}`);
  });
}

/** Resends unanswered transactions as a client would; each is then included exactly once. */
async function settleAll(rpc: RpcClient, world: World, told: Told): Promise<void> {
  const { refused } = await submitAll(rpc, told.unanswered);
  for (const { sent, failure } of refused) {
    const reason = String(failure.data['reason']);
    assert.ok(
      ['already_known', 'nonce_too_low'].includes(reason),
      `${sent.hash} sent again: ${failure.message}`,
    );
  }
  await drained(rpc);
  await world.auditor.advance(rpc);
  for (const sent of [...told.accepted.values(), ...told.unanswered]) {
    assert.ok(world.auditor.transactions.has(sent.hash), `${sent.hash} is neither pending nor on the chain`);
  }
  for (const wallet of world.wallets) {
    for (let lane = 0; lane < LANES; lane++) {
      assert.equal(world.auditor.model.nextNonce(wallet.address, lane), world.traffic.nonce(wallet, lane));
    }
  }
}

/** Funds the wallets on a new chain. */
async function prepare(node: NodeProcess, flags: readonly string[], seed: number): Promise<World> {
  const { dataDir } = node;
  const rpc = new RpcClient(node.url);
  try {
    const { chain_id: chainId } = await nodeStatus(rpc);
    const auditor = new ChainAuditor({ allocation: await devAllocation(rpc), proofs: 'some' });
    const traffic = new Traffic(chainId, seed + 1);
    const rich = devWallets();
    const [payer] = rich;
    assert.ok(payer !== undefined);
    const poor = newWallets(2, 'crash');
    await submitEvery(
      rpc,
      poor.map((wallet) => traffic.next(payer, { action: transfer(wallet.address, 10n ** 16n) })),
    );
    await drained(rpc);
    await auditor.advance(rpc);
    return { dataDir, flags, random: new Random(seed), wallets: [...rich, ...poor], auditor, traffic };
  } finally {
    rpc.close();
  }
}

/** Puts a node under load, kills it, restarts it and compares. @returns the restarted node, for the next round */
async function round(world: World, node: NodeProcess): Promise<NodeProcess> {
  const { dataDir, flags, random } = world;
  const told = nothingTold();
  try {
    const shares = Array.from({ length: SENDERS }, (_, s) =>
      world.wallets.filter((_, i) => i % SENDERS === s),
    );
    const work = [
      ...shares.map((wallets) => sendUntilKilled(node.url, wallets, world, told)),
      watchUntilKilled(node.url, told),
    ];
    const finished = Promise.all(work);
    await Promise.race([sleep(20 + random.below(500)), finished]);
    await node.kill();
    await finished;
  } catch (error) {
    throw new Error(`under load: ${String(error)}\n${node.log.slice(-3000)}`, { cause: error });
  } finally {
    await node.kill();
  }
  // Occasionally the next start is interrupted too.
  if (random.below(4) === 0) await NodeProcess.startAndKill(dataDir, flags, 50 + random.below(700));
  const again = await NodeProcess.start({ dataDir, flags });
  const rpc = new RpcClient(again.url);
  try {
    await checkTold(rpc, world, told);
    await settleAll(rpc, world, told);
    return again;
  } catch (error) {
    await again.kill();
    throw new Error(`after the restart: ${String(error)}\n${again.log.slice(-3000)}`, { cause: error });
  } finally {
    rpc.close();
  }
}

for (const native of MODES) {
  // The second mode, `off`, gets a tenth of the rounds, because the suite also runs with HEDDLE_NATIVE=off alone.
  const rounds = native === MODES[0] ? ROUNDS : Math.ceil(ROUNDS / 10);
  test(`nothing reported is lost in ${rounds} kills under load, --native ${native}`, async (t) => {
    t.diagnostic(`HEDDLE_CRASH_SEED=${SEED}`);
    const dataDir = temporaryDirectory();
    const flags = ['--block-time', '40', '--idle-block-time', '0', '--native', native];
    let node = await NodeProcess.start({ dataDir, flags });
    try {
      const world = await prepare(node, flags, SEED);
      for (let i = 0; i < rounds; i++) {
        try {
          node = await round(world, node);
        } catch (error) {
          throw new Error(`round ${i} of seed ${SEED}: ${String(error)}`, { cause: error });
        }
      }
      t.diagnostic(`${world.auditor.height} blocks, ${world.auditor.transactions.size} transactions`);
      assert.ok(world.auditor.transactions.size > rounds * BATCH, 'the load was no load');
      await node.kill();
      // The node's re-execution from genesis has to agree with the audit.
      const verified = await heddle(['verify', '--data-dir', dataDir, '--native', native]);
      assert.equal(verified.code, 0, verified.out + verified.err);
    } finally {
      await node.kill();
      removeDirectory(dataDir);
    }
  });
}
