import { BlockChain, type BlockChainOptions } from '../../../chain/block-chain.js';
import { BlockExecutor } from '../../../chain/block-executor.js';
import type { Chain } from '../../../chain/chain.js';
import { EpochRules } from '../../../chain/epochs/epoch-rules.js';
import { ItemChecks } from '../../../chain/epochs/item-checks.js';
import { timedExecution } from '../../../chain/executed-candidates.js';
import { finishBlock, nextBlock } from '../../../chain/next-block.js';
import { PendingBlocks } from '../../../chain/pending-blocks.js';
import { NO_PROTOCOL_ITEMS } from '../../../chain/protocol-items.js';
import { Pruner } from '../../../chain/prune.js';
import type { Crypto } from '../../../crypto/crypto.js';
import type { ExecutionPool } from '../../../execution/pool/execution-pool.js';
import { SignatureChecker } from '../../../execution/signature-checker.js';
import type { VerifiedTransaction } from '../../../ledger/transaction-envelope.js';
import type { ProofService } from '../../../proofs/proof-service.js';
import type { Store } from '../../../storage/store.js';
import { DevStateError } from './dev-state-error.js';
import type { DevTransfers } from './dev-transfers.js';

/** Time between two blocks by their timestamps, in milliseconds. */
const BLOCK_TIME_MS = 250n;
/** Blocks whose transfers are signed and checked together. */
const BLOCKS_A_GROUP = 128;
/** Blocks between two syncs to disk; a chain that is not finished is discarded anyway. */
const BLOCKS_A_SYNC = 4_096n;

export interface AddedBlocks {
  readonly blocks: number;
  readonly transactionsPerBlock: number;
  readonly signal?: AbortSignal;
}

export interface AddBlocksOptions extends AddedBlocks {
  readonly store: Store;
  readonly crypto: Crypto;
  readonly chain: Chain;
  readonly proofs: ProofService;
  readonly workers: ExecutionPool;
  readonly transfers: DevTransfers;
  /** Number of recent blocks whose state stays readable; 0 keeps all. */
  readonly stateRetention: number;
  /** Called with the number of blocks added. */
  readonly onProgress: (blocks: number) => void;
}

/** Adds blocks of transfers to a development chain, as its validator would, but without waiting between them. */
export async function addBlocks(options: AddBlocksOptions): Promise<void> {
  const { store, crypto, chain, proofs, workers, blocks: count, signal } = options;
  const pending = PendingBlocks.over(chain, proofs);
  const executor = new BlockExecutor(chain.accounts, store, crypto, workers);
  const checker = new SignatureChecker(workers);
  const verifySignature = checker.verify.bind(checker);
  const epochRules = new EpochRules(crypto, workers, new ItemChecks(crypto, workers));
  const parts = { chain, pending, crypto, store, proofs, executor, verifySignature, epochRules };
  const blockChain = new BlockChain(parts);
  let failure: unknown;
  const pruner = new Pruner(store, chain, BigInt(options.stateRetention), (error) => {
    failure ??= error;
  });
  try {
    let next = signedGroup(options, checker, 0);
    for (let done = 0; done < count; done += BLOCKS_A_GROUP) {
      const group = await next;
      // Signed and checked while this group's blocks are made.
      next = signedGroup(options, checker, done + BLOCKS_A_GROUP);
      next.catch(() => undefined);
      for (const [place, transactions] of group.entries()) {
        signal?.throwIfAborted();
        if (failure !== undefined) throw failure;
        await addBlock(parts, blockChain, transactions);
        options.onProgress(done + place + 1);
      }
    }
  } finally {
    await pruner.stop();
  }
}

async function addBlock(
  parts: BlockChainOptions,
  blockChain: BlockChain,
  transactions: readonly VerifiedTransaction[],
): Promise<void> {
  const { chain, pending, executor } = parts;
  const { header, hash, epochs } = chain.tip;
  const parent = pending.parent(hash);
  if (parent === undefined) throw new TypeError('the tip is not a parent');
  const { epoch } = epochs.validators;
  const context = { parent: hash, epoch, view: header.view + 1n, proposer: 0 };
  const base = nextBlock(parent, context, header.timestamp_ms + BLOCK_TIME_MS);
  const candidates = { transactions, bundles: [] };
  const outcome = await timedExecution(candidates, () => executor.execute(base, candidates));
  const [left] = outcome.excluded;
  if (left !== undefined) {
    const message = `block ${base.env.height} left out a transfer: ${left.problem}`;
    throw new DevStateError('transfer_left_out', message);
  }
  const block = pending.add(await finishBlock(parts, base, outcome, NO_PROTOCOL_ITEMS, undefined));
  await blockChain.commit(block.hash, undefined, block.header.height % BLOCKS_A_SYNC === 0n);
}

/** The transfers of the next blocks, block by block. */
async function signedGroup(
  { transfers, blocks: count, transactionsPerBlock }: AddBlocksOptions,
  checker: SignatureChecker,
  from: number,
): Promise<readonly (readonly VerifiedTransaction[])[]> {
  const length = Math.max(0, Math.min(BLOCKS_A_GROUP, count - from));
  return Promise.all(
    Array.from({ length }, () =>
      Promise.all(Array.from({ length: transactionsPerBlock }, () => checked(checker, transfers))),
    ),
  );
}

async function checked(checker: SignatureChecker, transfers: DevTransfers): Promise<VerifiedTransaction> {
  const verified = await checker.verify(transfers.next());
  if (verified === undefined) throw new TypeError('the signature of a development account is invalid');
  return verified;
}
