import type { Crypto } from '../crypto/crypto.js';
import type { BlockEnvironment } from '../execution/block-environment.js';
import { BlockExecution, type ExecutedBlock } from '../execution/block-execution.js';
import { type Candidates, unitsOf } from '../execution/block-units.js';
import type { ExecutionPool } from '../execution/execution-pool.js';
import { CommittedState, type StateSource } from '../execution/state-source.js';
import type { AccountCache } from '../ledger/account-cache.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import type { StoreReader } from '../storage/store.js';
import { nextTurn } from './next-turn.js';

/** How many transfers are executed before the event loop gets its turn: about a millisecond's worth. */
const SLICE = 128;

/**
 * Executes blocks on the last committed one. A block of plain transfers runs on this thread, in slices: it costs less than
 * the way to a worker. A block with contract calls runs in a worker, for this thread never runs contract code.
 */
export class BlockExecutor {
  readonly #accounts: AccountCache;
  readonly #source: StateSource;
  readonly #workers: Pick<ExecutionPool, 'run'>;

  constructor(
    accounts: AccountCache,
    store: StoreReader,
    crypto: Crypto,
    workers: Pick<ExecutionPool, 'run'>,
  ) {
    this.#accounts = accounts;
    this.#workers = workers;
    const committed = new CommittedState(store, crypto);
    this.#source = {
      account: (address) => accounts.get(address),
      slot: (contract, slot) => committed.slot(contract, slot),
      code: (hash) => committed.code(hash),
    };
  }

  execute(env: BlockEnvironment, candidates: Candidates<VerifiedTransaction>): Promise<ExecutedBlock> {
    const { transactions, bundles } = candidates;
    if (transactions.every(isTransfer)) return this.#executeTransfers(env, candidates);
    return this.#workers.run('execute_block', {
      env,
      candidates: { transactions: transactions.map(({ encoded }) => encoded), bundles },
    });
  }

  async #executeTransfers(
    env: BlockEnvironment,
    candidates: Candidates<VerifiedTransaction>,
  ): Promise<ExecutedBlock> {
    const execution = new BlockExecution(env, this.#source);
    const { transactions } = candidates;
    let sliceEnd = 0;
    for (const unit of unitsOf(candidates)) {
      if (unit.start >= sliceEnd) {
        if (unit.start > 0) await nextTurn();
        sliceEnd = unit.start + SLICE;
        this.#accounts.prefetch(transactions.slice(unit.start, sliceEnd).flatMap(touchedAddresses));
      }
      execution.add(unit);
    }
    return execution.finish();
  }
}

function isTransfer({ signed }: VerifiedTransaction): boolean {
  return signed.transaction.action.type === 'transfer';
}

function touchedAddresses({ sender, signed }: VerifiedTransaction): string[] {
  const { action } = signed.transaction;
  return action.type === 'transfer' ? [sender, Buffer.from(action.value.to).toString('hex')] : [sender];
}
