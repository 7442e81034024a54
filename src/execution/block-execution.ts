import type { LedgerReceipt } from '../generated/ledger.js';
import { ledger } from '../ledger/codecs.js';
import { encodeStoredReceipt } from '../ledger/stored-receipt.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import type { BlockEnvironment } from './block-environment.js';
import type { ContractMachine } from './contract-machine.js';
import { executeTransaction, type InclusionProblem, inclusionProblem } from './execute-transaction.js';
import type { StateSource } from './state-source.js';
import { type Blob, type StateWrite, WorldState } from './world-state.js';

/** What the execution of a transaction looks at. */
export type Executable = Pick<VerifiedTransaction, 'hash' | 'sender' | 'signed'>;

/** A candidate that cannot be in the block, by its place among the candidates. */
export interface LeftOut {
  readonly index: number;
  readonly problem: InclusionProblem;
}

/** What executing a block came to. Survives a structured clone. */
export interface ExecutedBlock {
  readonly leftOut: readonly LeftOut[];
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

/** Executes the transactions of one block one after another; the caller may pause between them. */
export class BlockExecution {
  readonly #env: BlockEnvironment;
  readonly #state: WorldState;
  readonly #machine: ContractMachine | undefined;
  readonly #leftOut: LeftOut[] = [];
  readonly #receipts: Uint8Array[] = [];
  readonly #storedReceipts: Uint8Array[] = [];
  readonly #involved = new Map<string, number[]>();
  readonly #events: { index: number; logs: LedgerReceipt['logs'] }[] = [];
  #candidates = 0;
  #gasUsed = 0n;
  #tips = 0n;

  /** @param machine left out where no transaction is more than a transfer */
  constructor(env: BlockEnvironment, source: StateSource, machine?: ContractMachine) {
    this.#env = env;
    this.#state = new WorldState(source);
    this.#machine = machine;
  }

  /** Executes the next candidate; one that cannot be in the block is left out as if it had not been tried. */
  add({ hash, sender, signed: { transaction } }: Executable): void {
    const candidate = this.#candidates++;
    const problem = inclusionProblem(transaction, sender, this.#state, this.#env);
    if (problem !== undefined) {
      this.#leftOut.push({ index: candidate, problem });
      return;
    }
    const { outcome, gasUsed, fee, tip, contract, output, logs, touched, message, trap } = executeTransaction(
      transaction,
      sender,
      {
        state: this.#state,
        env: this.#env,
        ...(this.#machine === undefined ? {} : { machine: this.#machine }),
      },
    );
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

  /** Settles the fees; nothing may be added after. */
  finish(): ExecutedBlock {
    const { proposer } = this.#env;
    if (this.#tips > 0n) {
      const account = this.#state.account(proposer);
      this.#state.writeAccount(proposer, { ...account, balance: account.balance + this.#tips });
    }
    return {
      leftOut: this.#leftOut,
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
