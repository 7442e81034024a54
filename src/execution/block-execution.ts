import type { AccountRecord } from '../generated/ledger.js';
import { ledger } from '../ledger/codecs.js';
import { encodeStoredReceipt } from '../ledger/stored-receipt.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import { AccountOverlay, type AccountSource } from './account-overlay.js';
import type { BlockEnvironment } from './block-environment.js';
import { executeTransaction, type InclusionProblem, inclusionProblem } from './execute-transaction.js';

/** What executing a block came to. */
export interface ExecutedBlock {
  /** The transactions that are in the block, in its order. */
  readonly transactions: readonly VerifiedTransaction[];
  /** borsh(LedgerReceipt), one for each transaction. */
  readonly receipts: readonly Uint8Array[];
  /** The receipts as they are stored, with their details. */
  readonly storedReceipts: readonly Uint8Array[];
  readonly gasUsed: bigint;
  /** The accounts as they are after the block, fees settled. */
  readonly accounts: readonly (readonly [address: string, record: AccountRecord])[];
}

/** Executes the transactions of one block one after another; the caller may pause between them. */
export class BlockExecution {
  readonly #env: BlockEnvironment;
  readonly #state: AccountOverlay;
  readonly #transactions: VerifiedTransaction[] = [];
  readonly #receipts: Uint8Array[] = [];
  readonly #storedReceipts: Uint8Array[] = [];
  #gasUsed = 0n;
  #tips = 0n;

  constructor(env: BlockEnvironment, source: AccountSource) {
    this.#env = env;
    this.#state = new AccountOverlay(source);
  }

  /** Executes the next transaction, or says why it cannot be in the block, which then is as if it had not been tried. */
  add(transaction: VerifiedTransaction): InclusionProblem | undefined {
    const { signed, sender, hash } = transaction;
    const problem = inclusionProblem(signed.transaction, sender, this.#state, this.#env);
    if (problem !== undefined) return problem;
    const outcome = executeTransaction(signed.transaction, sender, this.#state, this.#env);
    const receipt = ledger.LedgerReceipt.encode({
      tx_hash: hash,
      outcome: { type: outcome.outcome },
      gas_used: outcome.gasUsed,
      fee: outcome.fee,
      ...(outcome.contract === undefined ? {} : { contract: outcome.contract }),
      output: outcome.output,
      logs: outcome.logs,
    });
    this.#transactions.push(transaction);
    this.#receipts.push(receipt);
    this.#storedReceipts.push(
      encodeStoredReceipt(receipt, outcome.message === undefined ? {} : { message: outcome.message }),
    );
    this.#gasUsed += outcome.gasUsed;
    this.#tips += outcome.tip;
    return undefined;
  }

  /** Settles the fees; nothing may be added after. */
  finish(): ExecutedBlock {
    if (this.#tips > 0n) {
      const proposer = this.#state.account(this.#env.proposer);
      this.#state.write(this.#env.proposer, { ...proposer, balance: proposer.balance + this.#tips });
    }
    return {
      transactions: this.#transactions,
      receipts: this.#receipts,
      storedReceipts: this.#storedReceipts,
      gasUsed: this.#gasUsed,
      accounts: [...this.#state.written()],
    };
  }
}
