import type { LedgerReceipt, Outcome } from '../generated/ledger.js';
import { ledger } from '../ledger/codecs.js';
import { encodeStoredReceipt } from '../ledger/stored-receipt.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import type { BlockEnvironment } from './block-environment.js';
import type { BundleSpan, Unit } from './block-units.js';
import type { ContractMachine } from './contract-machine.js';
import {
  executeTransaction,
  type InclusionProblem,
  inclusionProblem,
  type TransactionOutcome,
} from './execute-transaction.js';
import type { StateSource } from './state-source.js';
import { type Blob, type StateWrite, WorldState } from './world-state.js';

/** What the execution of a transaction looks at. */
export type Executable = Pick<VerifiedTransaction, 'hash' | 'sender' | 'signed'>;

/** A candidate that cannot be in the block, by its place among the candidates. */
export interface LeftOut {
  readonly index: number;
  /** `bundle` for every member of a bundle that is left out: {@link FailedBundle} says why. */
  readonly problem: InclusionProblem | 'bundle';
}

/** A bundle that is left out as if it had not been tried, and the first of its members that could not be in the block. */
export interface FailedBundle extends BundleSpan {
  /** The member's place among the candidates. */
  readonly index: number;
  /** Why it could not even be tried, or what came of trying. */
  readonly problem: InclusionProblem | Outcome['type'];
  /** What a failed member said, for people. */
  readonly message?: string;
}

/** What executing a block came to. Survives a structured clone. */
export interface ExecutedBlock {
  readonly leftOut: readonly LeftOut[];
  readonly failedBundles: readonly FailedBundle[];
  /** borsh(LedgerReceipt), one for each transaction that is in the block, in its order. */
  readonly receipts: readonly Uint8Array[];
  /** The receipts as they are stored, with their details. */
  readonly storedReceipts: readonly Uint8Array[];
  readonly gasUsed: bigint;
  /** What the block changes in the state, fees settled, ascending by key. */
  readonly writes: readonly StateWrite[];
  /** Code and interface texts that are new with the block. */
  readonly codes: readonly Blob[];
  readonly idls: readonly Blob[];
  /** Which transactions of the block involve a contract, by the contract's address in 40 lowercase hex digits. */
  readonly involved: ReadonlyMap<string, readonly number[]>;
  /** The receipts that have events, by the transaction's place in the block. */
  readonly events: readonly { readonly index: number; readonly logs: LedgerReceipt['logs'] }[];
}

/** A transaction that was executed, on its way into the block. */
interface Executed {
  readonly hash: Uint8Array;
  readonly outcome: TransactionOutcome;
}

/** Executes the transactions of one block one after another; the caller may pause between them. */
export class BlockExecution {
  readonly #env: BlockEnvironment;
  readonly #state: WorldState;
  readonly #machine: ContractMachine | undefined;
  readonly #leftOut: LeftOut[] = [];
  readonly #failedBundles: FailedBundle[] = [];
  readonly #receipts: Uint8Array[] = [];
  readonly #storedReceipts: Uint8Array[] = [];
  readonly #involved = new Map<string, number[]>();
  readonly #events: { index: number; logs: LedgerReceipt['logs'] }[] = [];
  #gasUsed = 0n;
  #tips = 0n;

  /** @param machine left out where no transaction is more than a transfer */
  constructor(env: BlockEnvironment, source: StateSource, machine?: ContractMachine) {
    this.#env = env;
    this.#state = new WorldState(source);
    this.#machine = machine;
  }

  /**
   * Executes the next candidates. A transaction that cannot be in the block is left out as if it had not been tried; so
   * is a bundle, unless all its members can be in the block and succeed.
   */
  add(unit: Unit<Executable>): void {
    if (unit.bundle) this.#addBundle(unit);
    else for (const executable of unit.members) this.#addOne(unit.start, executable);
  }

  #addOne(index: number, executable: Executable): void {
    const executed = this.#execute(executable);
    if (typeof executed === 'string') this.#leftOut.push({ index, problem: executed });
    else this.#include(executed);
  }

  #addBundle({ start, length, members }: Unit<Executable>): void {
    const before = this.#state.hold();
    const done: Executed[] = [];
    for (const executable of members) {
      const executed = this.#execute(executable);
      if (typeof executed === 'string' || executed.outcome.outcome !== 'success') {
        this.#state.revert(before);
        this.#state.settle();
        this.#leaveOut({ start, length }, start + done.length, executed);
        return;
      }
      done.push(executed);
    }
    this.#state.settle();
    for (const executed of done) this.#include(executed);
  }

  /** Executes a transaction on the state as it is now, or says why it cannot be in the block here. */
  #execute({ hash, sender, signed: { transaction } }: Executable): Executed | InclusionProblem {
    const problem = inclusionProblem(transaction, sender, this.#state, this.#env);
    if (problem !== undefined) return problem;
    const context = {
      state: this.#state,
      env: this.#env,
      ...(this.#machine === undefined ? {} : { machine: this.#machine }),
    };
    return { hash, outcome: executeTransaction(transaction, sender, context) };
  }

  #include({ hash, outcome: result }: Executed): void {
    const { outcome, gasUsed, fee, tip, contract, output, logs, touched, message, trap } = result;
    const receipt = ledger.LedgerReceipt.encode({
      tx_hash: hash,
      outcome: { type: outcome },
      gas_used: gasUsed,
      fee,
      ...(contract === undefined ? {} : { contract }),
      output,
      logs,
    });
    const index = this.#receipts.length;
    for (const name of touched) {
      const indexes = this.#involved.get(name);
      if (indexes === undefined) this.#involved.set(name, [index]);
      else indexes.push(index);
    }
    if (logs.length > 0) this.#events.push({ index, logs });
    this.#receipts.push(receipt);
    this.#storedReceipts.push(
      encodeStoredReceipt(receipt, {
        ...(message === undefined ? {} : { message }),
        ...(trap === undefined ? {} : { trap: { kind: trap.kind, backtrace: trap.backtrace } }),
      }),
    );
    this.#gasUsed += gasUsed;
    this.#tips += tip;
  }

  /** Leaves a bundle out, for what came of the candidate with this index. */
  #leaveOut(span: BundleSpan, index: number, failed: Executed | InclusionProblem): void {
    for (let offset = 0; offset < span.length; offset++) {
      this.#leftOut.push({ index: span.start + offset, problem: 'bundle' });
    }
    if (typeof failed === 'string') {
      this.#failedBundles.push({ ...span, index, problem: failed });
    } else {
      const { outcome, message } = failed.outcome;
      this.#failedBundles.push({
        ...span,
        index,
        problem: outcome,
        ...(message === undefined ? {} : { message }),
      });
    }
  }

  /** Settles the fees; nothing may be added after. */
  finish(): ExecutedBlock {
    const { proposer } = this.#env;
    if (this.#tips > 0n) {
      const account = this.#state.account(proposer);
      this.#state.writeAccount(proposer, { ...account, balance: account.balance + this.#tips });
    }
    return {
      leftOut: this.#leftOut,
      failedBundles: this.#failedBundles,
      receipts: this.#receipts,
      storedReceipts: this.#storedReceipts,
      gasUsed: this.#gasUsed,
      writes: this.#state.writes(),
      codes: this.#state.codes(),
      idls: this.#state.idls(),
      involved: this.#involved,
      events: this.#events,
    };
  }
}
