import { addTo } from '../base/multi-map.js';
import type { LedgerReceipt, Outcome } from '../generated/ledger.js';
import type { Writable } from '../idl/codecs/codec.js';
import { ledger } from '../ledger/codecs.js';
import type { TransactionPayments } from '../ledger/payment-index.js';
import {
  encodeStoredReceipt,
  type OpeningDetails,
  type ReceiptDetails,
  receiptOf,
} from '../ledger/stored-receipt.js';
import type { SignedCandidate, TransactionEnvelope } from '../ledger/transaction-envelope.js';
import type { AtomicGroup, BundleSpan } from './atomic-groups.js';
import type { BlockEnvironment } from './block-environment.js';
import type { ContractMachine } from './contract-machine.js';
import type { ExecutionContext, InclusionProblem, TransactionOutcome } from './execute-transaction.js';
import type { ParallelStatistics } from './parallel/statistics.js';
import { candidateProblem, executeCandidate } from './sealed/include-envelope.js';
import { executeOpening, type Opening } from './sealed/opening.js';
import type { StateSource } from './state-source.js';
import type { CodeBlob, StateWrite } from './state-writes.js';
import { WorldState } from './world-state.js';

export type Executable = Pick<TransactionEnvelope, 'hash' | 'sender' | 'signed'>;

/** A candidate that cannot be in the block, by its index among the candidates. */
export interface ExcludedCandidate {
  readonly index: number;
  /** `bundle` for every member of an excluded bundle: see {@link FailedBundle} for the reason. */
  readonly problem: InclusionProblem | 'bundle';
}

/** A bundle excluded without effect, and its first member that could not be in the block. */
export interface FailedBundle extends BundleSpan {
  /** Index of the member among the candidates. */
  readonly index: number;
  /** The reason why the member could not be tried, or its outcome. */
  readonly problem: InclusionProblem | Outcome['type'];
  readonly message?: string;
}

/** The changes that execution on top of a block reads. */
export interface BlockChanges {
  /** The block's state changes, fees settled, ascending by key. */
  readonly writes: readonly StateWrite[];
  readonly codes: readonly CodeBlob[];
}

/** The result of executing a block. Survives a structured clone. */
export interface ExecutedBlock extends BlockChanges {
  readonly excluded: readonly ExcludedCandidate[];
  readonly failedBundles: readonly FailedBundle[];
  /** borsh(LedgerReceipt) of each transaction, in block order. */
  readonly receipts: readonly Uint8Array[];
  readonly storedReceipts: readonly Uint8Array[];
  readonly gasUsed: bigint;
  /** Interface texts added by the block. */
  readonly idls: readonly CodeBlob[];
  /** Indices of the transactions that involve a contract, by the contract's address in 40 lowercase hex digits. */
  readonly contractTransactions: ReadonlyMap<string, readonly number[]>;
  /** The receipts that have events, by index of the transaction in the block. */
  readonly events: readonly { readonly index: number; readonly logs: LedgerReceipt['logs'] }[];
  /** The transactions that paid native balance to others, by index in the block. */
  readonly payments: readonly TransactionPayments[];
  /** Statistics of parallel execution, if any; not part of the block. */
  readonly parallel?: ParallelStatistics;
}

/** A block, or its first part, before the proposer is paid. Survives a structured clone. */
export interface UnsettledBlock {
  readonly executed: ExecutedBlock;
  /** Amount due to the proposer. */
  readonly tips: bigint;
}

/** Gas used, and tips owed to the proposer, before the block's transactions. */
export interface PriorUsage {
  readonly gasUsed: bigint;
  readonly tips: bigint;
}

/** The result of a transaction about to be included in the block. */
export interface TransactionResult
  extends Omit<TransactionOutcome, 'fee' | 'trap' | 'raisedBy' | 'contract' | 'output'> {
  /** borsh(LedgerReceipt). */
  readonly receipt: Uint8Array;
  readonly storedReceipt: Uint8Array;
}

/** Executes an eligible candidate on the block's state; undefined, with no change, if it has to wait. */
export type RunTransaction<T> = (executable: T, index: number) => TransactionResult | undefined;

/** Executes the transactions of one block one after another; the caller may pause between them. */
export class BlockExecution {
  /** The state after the groups added so far. */
  readonly state: WorldState;
  readonly #env: BlockEnvironment;
  readonly #context: ExecutionContext;
  readonly #excluded: ExcludedCandidate[] = [];
  readonly #failedBundles: FailedBundle[] = [];
  readonly #receipts: Uint8Array[] = [];
  readonly #storedReceipts: Uint8Array[] = [];
  readonly #contractTransactions = new Map<string, number[]>();
  readonly #events: { index: number; logs: LedgerReceipt['logs'] }[] = [];
  readonly #payments: TransactionPayments[] = [];
  #gasUsed: bigint;
  #bundleGas = 0n;
  #tips: bigint;

  /** @param machine absent if no transaction runs code @param before the gas and tips counted as used */
  constructor(env: BlockEnvironment, source: StateSource, machine?: ContractMachine, before?: PriorUsage) {
    this.#env = env;
    this.#gasUsed = before?.gasUsed ?? 0n;
    this.#tips = before?.tips ?? 0n;
    this.state = new WorldState(source);
    this.#context = { state: this.state, env, ...(machine === undefined ? {} : { machine }) };
  }

  get gasLeft(): bigint {
    return this.#env.gasLimit - this.#gasUsed;
  }

  get excluded(): readonly ExcludedCandidate[] {
    return this.#excluded;
  }

  /** Gas attributed to bundles so far: the gas used by included ones, the declared gas of those that failed. */
  get bundleGas(): bigint {
    return this.#bundleGas;
  }

  /**
   * Executes the next candidates. One that cannot be in the block is excluded without effect; so is a bundle, unless
   * it fits as a whole and all its members are eligible and succeed.
   */
  add(group: AtomicGroup<Executable>): void {
    this.addBy(group, (executable) => this.execute(executable));
  }

  /** Like {@link add}, with another executor; false, with nothing changed, if a transaction has to wait. */
  addBy<T extends Executable>(group: AtomicGroup<T>, run: RunTransaction<T>): boolean {
    if (group.bundle) return this.#addBundle(group, run);
    return group.members.every((executable, place) => this.#addOne(group.start + place, executable, run));
  }

  execute({ hash, sender, signed }: Executable): TransactionResult {
    return resultOf(hash, executeCandidate(signed, sender, this.#context));
  }

  /** Executes the content of an envelope and includes it in the block; must precede all candidates. */
  executeOpening(opening: Opening): void {
    const outcome = executeOpening(opening, this.#context);
    this.#include(resultOf(opening.hash, outcome, opening.details));
  }

  #addOne<T extends Executable>(index: number, executable: T, run: RunTransaction<T>): boolean {
    const result = this.#problem(executable, this.gasLeft) ?? run(executable, index);
    if (result === undefined) return false;
    if (typeof result === 'string') this.#excluded.push({ index, problem: result });
    else this.#include(result);
    return true;
  }

  #addBundle<T extends Executable>(
    { start, length, members }: AtomicGroup<T>,
    run: RunTransaction<T>,
  ): boolean {
    if (gasLimitOf(members) > this.gasLeft) {
      this.#exclude({ start, length }, start, 'block_full');
      return true;
    }
    const before = this.state.beginGroup();
    const done: TransactionResult[] = [];
    for (const executable of members) {
      const index = start + done.length;
      const result = this.#problem(executable) ?? run(executable, index);
      if (typeof result !== 'object' || result.outcome !== 'success') {
        this.state.revert(before);
        this.state.commitGroup();
        if (result === undefined) return false;
        this.#bundleGas += gasLimitOf(members);
        this.#exclude({ start, length }, index, result);
        return true;
      }
      done.push(result);
    }
    this.state.commitGroup();
    for (const result of done) {
      this.#include(result);
      this.#bundleGas += result.gasUsed;
    }
    return true;
  }

  /** Returns the reason why a transaction cannot be in the block at this point. */
  #problem({ sender, signed }: Executable, gasLeft?: bigint): InclusionProblem | undefined {
    return candidateProblem(signed.transaction, sender, this.state, this.#env, gasLeft);
  }

  #include({ receipt, storedReceipt, gasUsed, tip, logs, touched, payments }: TransactionResult): void {
    const index = this.#receipts.length;
    for (const name of touched) addTo(this.#contractTransactions, name, index);
    if (logs.length > 0) this.#events.push({ index, logs });
    if (payments.length > 0) this.#payments.push({ index, paid: payments });
    this.#receipts.push(receipt);
    this.#storedReceipts.push(storedReceipt);
    this.#gasUsed += gasUsed;
    this.#tips += tip;
  }

  #exclude(span: BundleSpan, index: number, failed: TransactionResult | InclusionProblem): void {
    for (let offset = 0; offset < span.length; offset++) {
      this.#excluded.push({ index: span.start + offset, problem: 'bundle' });
    }
    if (typeof failed === 'string') {
      this.#failedBundles.push({ ...span, index, problem: failed });
      return;
    }
    const { outcome: problem, message } = failed;
    this.#failedBundles.push({ ...span, index, problem, ...(message === undefined ? {} : { message }) });
  }

  /** Settles the fees; nothing may be added afterwards. */
  finish(): ExecutedBlock {
    if (this.#tips > 0n) this.state.addBalance(this.#env.proposer, this.#tips);
    return this.#executed();
  }

  /** Returns the result so far, for executing the rest elsewhere; nothing may be added afterwards. */
  finishUnsettled(): UnsettledBlock {
    return { executed: this.#executed(), tips: this.#tips };
  }

  #executed(): ExecutedBlock {
    return {
      excluded: this.#excluded,
      failedBundles: this.#failedBundles,
      receipts: this.#receipts,
      storedReceipts: this.#storedReceipts,
      gasUsed: this.#gasUsed,
      writes: this.state.writes(this.#env.isDevelopment),
      codes: this.state.codes(),
      idls: this.state.idls(),
      contractTransactions: this.#contractTransactions,
      events: this.#events,
      payments: this.#payments,
    };
  }
}

/** The maximum gas of a bundle's members together, which decides whether it fits before any of them runs. */
export function gasLimitOf(members: readonly { readonly signed: SignedCandidate }[]): bigint {
  return members.reduce((sum, { signed }) => sum + signed.transaction.gas_limit, 0n);
}

function resultOf(hash: Uint8Array, ended: TransactionOutcome, opening?: OpeningDetails): TransactionResult {
  const { receipt, storedReceipt } = encodeReceipts(hash, ended, opening);
  const result: Writable<TransactionResult> = {
    receipt,
    storedReceipt,
    outcome: ended.outcome,
    gasUsed: ended.gasUsed,
    tip: ended.tip,
    logs: ended.logs,
    touched: ended.touched,
    payments: ended.payments,
  };
  if (ended.message !== undefined) result.message = ended.message;
  return result;
}

/** The receipt as the chain commits to it and as it is stored. @param opening if it is that of an opening */
export function encodeReceipts(
  hash: Uint8Array,
  result: TransactionOutcome,
  opening?: OpeningDetails,
): Pick<TransactionResult, 'receipt' | 'storedReceipt'> {
  const { message, trap, raisedBy } = result;
  const details: Writable<ReceiptDetails> = {};
  if (message !== undefined) details.message = message;
  if (trap !== undefined) details.trap = { kind: trap.kind, backtrace: trap.backtrace };
  if (raisedBy !== undefined) details.raisedBy = raisedBy;
  if (opening !== undefined) details.opening = opening;
  const storedReceipt = encodeStoredReceipt(
    ledger.LedgerReceipt.encodeTransient(ledgerReceipt(hash, result)),
    details,
  );
  return { receipt: receiptOf(storedReceipt), storedReceipt };
}

/** Returns the receipt of a transaction, as the chain commits to it. */
export function ledgerReceipt(
  hash: Uint8Array,
  { outcome, gasUsed, fee, contract, output, logs }: TransactionOutcome,
): LedgerReceipt {
  const receipt: Writable<LedgerReceipt> = {
    tx_hash: hash,
    outcome: { type: outcome },
    gas_used: gasUsed,
    fee,
    output,
    logs,
  };
  if (contract !== undefined) receipt.contract = contract;
  return receipt;
}
