import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Crypto } from '../crypto/crypto.js';
import type { Candidates } from '../execution/atomic-groups.js';
import type { BlockEnvironment } from '../execution/block-environment.js';
import type { ExecutedBlock, FailedBundle } from '../execution/block-execution.js';
import type { InclusionProblem } from '../execution/execute-transaction.js';
import type { BlockHeader } from '../generated/ledger.js';
import type { SealedBlock } from '../ledger/block-store.js';
import { ledger } from '../ledger/codecs.js';
import { nextBaseFee } from '../ledger/fees.js';
import { blockHash, validatorsHash } from '../ledger/header.js';
import { encodeTransactionItem, type VerifiedTransaction } from '../ledger/verified-transaction.js';
import type { BlockRoots } from '../proofs/block-roots.js';
import type { ProofService } from '../proofs/proof-service.js';
import type { BlockExecutor } from './block-executor.js';
import type { BlockWaves } from './block-waves.js';
import type { Chain } from './chain.js';

/** What came of executing a block's candidates. */
export interface ExecutedCandidates {
  /** Those that are in the block, in its order. */
  readonly transactions: readonly VerifiedTransaction[];
  readonly executed: ExecutedBlock;
  readonly executeMs: number;
  /** Those on their own that could not be in it, and why. */
  readonly leftOut: readonly {
    readonly transaction: VerifiedTransaction;
    readonly problem: InclusionProblem;
  }[];
  /** The bundles that could not be in it, and why. */
  readonly failedBundles: readonly FailedBundle[];
}

/** A block that is sealed but not stored yet. */
export interface BuiltBlock extends SealedBlock, ExecutedCandidates {
  readonly transactions: readonly VerifiedTransaction[];
  readonly roots: BlockRoots;
  readonly rootsMs: number;
}

/** Builds the block after the chain's tip: has the candidates executed and the roots computed, and seals the header. */
export class BlockBuilder {
  readonly #chain: Chain;
  readonly #crypto: Crypto;
  readonly #executor: BlockExecutor;
  readonly #proofs: ProofService;
  readonly #validatorsHash: Uint8Array;
  readonly #proposer: string;

  constructor(chain: Chain, crypto: Crypto, executor: BlockExecutor, proofs: ProofService) {
    this.#chain = chain;
    this.#crypto = crypto;
    this.#executor = executor;
    this.#proofs = proofs;
    this.#validatorsHash = validatorsHash(crypto, chain.validatorSet);
    this.#proposer = Buffer.from(chain.validator(0).address).toString('hex');
  }

  /** The environment of the next block. */
  environment(timestampMs: bigint): BlockEnvironment {
    const { header } = this.#chain.tip;
    return {
      chainId: header.chain_id,
      height: header.height + 1n,
      timestampMs,
      baseFee: nextBaseFee(header),
      gasLimit: header.gas_limit,
      proposer: this.#proposer,
    };
  }

  /** Executes what may be in the next block; nothing is decided by it yet. */
  execute(env: BlockEnvironment, candidates: Candidates<VerifiedTransaction>): Promise<ExecutedCandidates> {
    return timed(candidates, () => this.#executor.execute(env, candidates));
  }

  /** Executes the transactions of a block that others have decided already. */
  executeDecided(
    env: BlockEnvironment,
    transactions: readonly VerifiedTransaction[],
  ): Promise<ExecutedCandidates> {
    const candidates = { transactions, bundles: [] };
    return timed(candidates, () => this.#executor.executeDecided(env, candidates));
  }

  /** Executes what waves bring, each on top of those before it; nothing is decided by it yet. */
  async fill(env: BlockEnvironment, waves: BlockWaves): Promise<ExecutedCandidates> {
    const started = performance.now();
    const block = this.#executor.open(env);
    let wave = waves.first(block.room);
    while (wave !== undefined) {
      const leftOut = await block.add(wave);
      const { room } = block;
      wave = waves.after(leftOut, room, env.gasLimit - room.gasLeft);
      if (wave !== undefined) await nextTurn();
    }
    const executed = block.finish();
    const executeMs = performance.now() - started;
    return { ...divide(waves.candidates, executed), executed, executeMs };
  }

  /** Seals the block of what {@link execute} gave for the same environment. */
  async build(env: BlockEnvironment, outcome: ExecutedCandidates): Promise<BuiltBlock> {
    const { executed } = outcome;
    await nextTurn();
    const started = performance.now();
    const items = outcome.transactions.map(encodeTransactionItem);
    const roots = await this.#proofs.blockRoots({
      height: env.height,
      parentHash: this.#chain.tip.hash,
      changes: executed.writes,
      items,
      receipts: executed.receipts,
    });
    const header = this.#header(env, executed.gasUsed, roots);
    const encodedHeader = ledger.BlockHeader.encode(header);
    return {
      ...outcome,
      header,
      encodedHeader,
      hash: blockHash(this.#crypto, encodedHeader),
      items,
      receipts: executed.storedReceipts,
      roots,
      rootsMs: performance.now() - started,
    };
  }

  #header(env: BlockEnvironment, gasUsed: bigint, roots: BlockRoots): BlockHeader {
    const { header: parent, hash } = this.#chain.tip;
    return {
      chain_id: env.chainId,
      height: env.height,
      parent_hash: hash,
      epoch: parent.epoch,
      view: parent.view + 1n,
      timestamp_ms: env.timestampMs,
      proposer: 0,
      transactions_root: roots.transactionsRoot,
      receipts_root: roots.receiptsRoot,
      state_root: roots.stateRoot,
      history_root: roots.historyRoot,
      validators_hash: this.#validatorsHash,
      gas_used: gasUsed,
      gas_limit: env.gasLimit,
      base_fee: env.baseFee,
      extra: new Uint8Array(0),
    };
  }
}

async function timed(
  candidates: Candidates<VerifiedTransaction>,
  execute: () => Promise<ExecutedBlock>,
): Promise<ExecutedCandidates> {
  const started = performance.now();
  const executed = await execute();
  return { ...divide(candidates, executed), executed, executeMs: performance.now() - started };
}

/** The candidates that are in the block, and those that are not. */
function divide(
  { transactions }: Candidates<VerifiedTransaction>,
  { leftOut: refused, failedBundles }: ExecutedBlock,
): Pick<ExecutedCandidates, 'transactions' | 'leftOut' | 'failedBundles'> {
  if (refused.length === 0) return { transactions, leftOut: [], failedBundles: [] };
  const problems = new Map(refused.map(({ index, problem }) => [index, problem]));
  return {
    transactions: transactions.filter((_, index) => !problems.has(index)),
    leftOut: transactions.flatMap((transaction, index) => {
      const problem = problems.get(index);
      return problem === undefined || problem === 'bundle' ? [] : [{ transaction, problem }];
    }),
    failedBundles,
  };
}
