// Blocks from elsewhere are executed by the chain's rules, whoever certified them.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BlockBuilder } from '../../../src/consensus/block-builder.js';
import { BlockExecutor } from '../../../src/consensus/block-executor.js';
import type { Chain } from '../../../src/consensus/chain.js';
import { commitBatch, committedBlock } from '../../../src/consensus/commit-batch.js';
import { openChain } from '../../../src/consensus/open-chain.js';
import type { Crypto } from '../../../src/crypto/crypto.js';
import { devAccounts } from '../../../src/crypto/dev-accounts.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { devGenesis } from '../../../src/ledger/dev-genesis.js';
import { transactionFromSigned, type VerifiedTransaction } from '../../../src/ledger/verified-transaction.js';
import { ProofService } from '../../../src/proofs/proof-service.js';
import { writeTree } from '../../../src/proofs/write-tree.js';
import { openStore } from '../../../src/storage/open-store.js';
import type { Store } from '../../../src/storage/store.js';
import { applySegment } from '../../../src/sync/follow/apply-segment.js';
import { FollowError } from '../../../src/sync/follow/follow-error.js';
import type { CertifiedBlock } from '../../../src/sync/follow/segment.js';

const BLOCK_GAS = 500_000_000n;

/** A chain of transfers, without a node around it. */
class World {
  private constructor(
    readonly crypto: Crypto,
    readonly store: Store,
    readonly proofs: ProofService,
    readonly chain: Chain,
    readonly builder: BlockBuilder,
  ) {}

  static async open(directory: string): Promise<World> {
    const crypto = await loadCrypto('auto');
    const store = await openStore({ directory, native: 'auto', report: () => undefined });
    const proofs = await ProofService.start({
      store: store.handle,
      native: 'auto',
      tip: undefined,
      onProgress: () => undefined,
    });
    const chain = await openChain(store, crypto, proofs, devGenesis(crypto));
    const nobody = { run: () => Promise.reject(new Error('transfers need no worker')) };
    const executor = new BlockExecutor(chain.accounts, store, crypto, nobody);
    return new World(crypto, store, proofs, chain, new BlockBuilder(chain, crypto, executor, proofs));
  }

  async close(): Promise<void> {
    await this.proofs.stop();
    await this.store.close();
  }

  /** Seals the next block. */
  async seal(transactions: readonly VerifiedTransaction[]): Promise<CertifiedBlock> {
    const env = this.builder.environment(this.chain.tip.header.timestamp_ms + 1_000n);
    const outcome = await this.builder.execute(env, { transactions, bundles: [] });
    assert.equal(outcome.leftOut.length, 0);
    const built = await this.builder.build(env, outcome);
    await this.store.write(await commitBatch(built), { sync: false });
    this.chain.commit(committedBlock(built));
    await writeTree(this.store, built.roots.treeBatch);
    return { header: built.header, hash: built.hash, transactions };
  }

  /** Takes a block over from elsewhere. */
  apply(block: CertifiedBlock): Promise<void> {
    const { chain, store, builder } = this;
    return applySegment(
      {
        chain,
        store,
        builder,
        checkSignature: () => Promise.resolve(true),
        storeCertificate: () => undefined,
        onApplied: () => undefined,
        signal: new AbortController().signal,
      },
      { blocks: [block], certificates: new Map(), end: block, bodyBytes: 0 },
    );
  }
}

let directory: string;
let source: World;
let follower: World;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-apply-'));
  source = await World.open(join(directory, 'source'));
  follower = await World.open(join(directory, 'follower'));
});
after(async () => {
  await source?.close();
  await follower?.close();
  await rm(directory, { recursive: true, force: true });
});

function transfer(sender: number, nonce: bigint, gasLimit: bigint): VerifiedTransaction {
  const address = devAccounts(source.crypto)[sender]?.address ?? new Uint8Array(20);
  return transactionFromSigned(
    {
      transaction: {
        chain_id: source.chain.tip.header.chain_id,
        sender: address,
        lane: 0,
        nonce,
        gas_limit: gasLimit,
        max_fee: 10n,
        priority_fee: 0n,
        action: { type: 'transfer', value: { to: address, amount: 1n } },
      },
      signature: {
        type: 'ed25519',
        value: { public_key: new Uint8Array(32), signature: new Uint8Array(64) },
      },
    },
    source.crypto,
  );
}

test('limits beyond a block together are no fault where what was used leaves room for each', async () => {
  const limits = [BLOCK_GAS, BLOCK_GAS - 15_000n, BLOCK_GAS - 30_000n];
  await follower.apply(await source.seal(limits.map((limit, sender) => transfer(sender, 0n, limit))));
  assert.equal(follower.chain.tip.header.height, 1n);
  assert.equal(follower.chain.tip.header.gas_used, 45_000n);
});

test('a block with one whose limit is more than what those before it left is refused', async () => {
  const first = transfer(0, 1n, 400_000_000n);
  const fits = await source.seal([first, transfer(1, 1n, BLOCK_GAS - 10_000n)]);
  for (const limit of [BLOCK_GAS - 9_999n, BLOCK_GAS]) {
    const block = { ...fits, transactions: [first, transfer(1, 1n, limit)] };
    await assert.rejects(follower.apply(block), (error: unknown) => {
      assert.ok(error instanceof FollowError);
      assert.equal(error.code, 'diverged');
      assert.match(error.message, /cannot be included: block_full/);
      return true;
    });
    assert.equal(follower.chain.tip.header.height, 1n);
  }
  await follower.apply(fits);
  assert.equal(follower.chain.tip.header.height, 2n);
});
