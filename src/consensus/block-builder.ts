import type { Crypto } from '../crypto/crypto.js';
import type { BlockEnvironment } from '../execution/block-environment.js';
import { BlockExecution } from '../execution/block-execution.js';
import type { InclusionProblem } from '../execution/execute-transaction.js';
import type { BlockHeader } from '../generated/ledger.js';
import type { AccountChange } from '../ledger/account-cache.js';
import type { SealedBlock } from '../ledger/block-store.js';
import { ledger } from '../ledger/codecs.js';
import { nextBaseFee } from '../ledger/fees.js';
import { blockHash, validatorsHash } from '../ledger/header.js';
import { encodeTransactionItem, type VerifiedTransaction } from '../ledger/verified-transaction.js';
import type { BlockRoots, ProofService } from '../proofs/proof-service.js';
import type { Chain } from './chain.js';

/** A block that is sealed but not stored yet. */
export interface BuiltBlock extends SealedBlock {
  readonly transactions: readonly VerifiedTransaction[];
  readonly changes: readonly AccountChange[];
  readonly roots: BlockRoots;
  readonly executeMs: number;
  readonly rootsMs: number;
  /** The candidates that could not be in it, and why. */
  readonly leftOut: readonly {
    readonly transaction: VerifiedTransaction;
    readonly problem: InclusionProblem;
  }[];
}

/** How many transactions are executed before the event loop gets its turn: about two milliseconds' worth. */
const SLICE = 128;

/** Builds the block after the chain's tip: executes the candidates, has the roots computed, and seals the header. */
export class BlockBuilder {
  readonly #chain: Chain;
  readonly #crypto: Crypto;
  readonly #proofs: ProofService;
  readonly #validatorsHash: Uint8Array;
  readonly #proposer: string;

  constructor(chain: Chain, crypto: Crypto, proofs: ProofService) {
    this.#chain = chain;
    this.#crypto = crypto;
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

  async build(env: BlockEnvironment, candidates: readonly VerifiedTransaction[]): Promise<BuiltBlock> {
    const { accounts, tip } = this.#chain;
    const started = performance.now();
    const execution = new BlockExecution(env, accounts);
    const leftOut: { transaction: VerifiedTransaction; problem: InclusionProblem }[] = [];
    for (let start = 0; start < candidates.length; start += SLICE) {
      if (start > 0) await nextTurn();
      const slice = candidates.slice(start, start + SLICE);
      accounts.prefetch(slice.flatMap(touchedAddresses));
      for (const transaction of slice) {
        const problem = execution.add(transaction);
        if (problem !== undefined) leftOut.push({ transaction, problem });
      }
    }
    const executed = execution.finish();
    const changes = accounts.changes(executed.accounts);
    const items = executed.transactions.map(encodeTransactionItem);
    const executedAt = performance.now();
    const roots = await this.#proofs.blockRoots({
      height: env.height,
      parentHash: tip.hash,
      changes,
      items,
      receipts: executed.receipts,
    });
    const header = this.#header(env, executed.gasUsed, roots);
    const encodedHeader = ledger.BlockHeader.encode(header);
    return {
      header,
      encodedHeader,
      hash: blockHash(this.#crypto, encodedHeader),
      items,
      receipts: executed.storedReceipts,
      transactions: executed.transactions,
      changes,
      roots,
      executeMs: executedAt - started,
      rootsMs: performance.now() - executedAt,
      leftOut,
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

function touchedAddresses({ sender, signed }: VerifiedTransaction): string[] {
  const { action } = signed.transaction;
  return action.type === 'transfer' ? [sender, Buffer.from(action.value.to).toString('hex')] : [sender];
}

/** Lets the event loop answer what has come in. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
