import type { LedgerReceipt, Outcome } from '../generated/ledger.js';
import { ledger } from '../ledger/codecs.js';
import { encodeStoredReceipt, type OpeningDetails } from '../ledger/stored-receipt.js';
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

/** What the execution of a transaction looks at. */
export type Executable = Pick<TransactionEnvelope, 'hash' | 'sender' | 'signed'>;

/** A candidate that cannot be in the block, by its place among the candidates. */
export interface ExcludedCandidate {
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
  readonly excluded: readonly ExcludedCandidate[];
  readonly failedBundles: readonly FailedBundle[];
  /** borsh(LedgerReceipt), one for each transaction that is in the block, in its order. */
  readonly receipts: readonly Uint8Array[];
  /** The receipts as they are stored, with their details. */
  readonly storedReceipts: readonly Uint8Array[];
  readonly gasUsed: bigint;
  /** What the block changes in the state, fees settled, ascending by key. */
  readonly writes: readonly StateWrite[];
  /** Code and interface texts that are new with the block. */
  readonly codes: readonly CodeBlob[];
  readonly idls: readonly CodeBlob[];
  /** Which transactions of the block, by their receipts, involve a contract, by the contract's address in 40 lowercase hex digits. */
  readonly contractTransactions: ReadonlyMap<string, readonly number[]>;
  /** The receipts that have events, by the transaction's place in the block. */
  readonly events: readonly { readonly index: number; readonly logs: LedgerReceipt['logs'] }[];
  /** How the workers shared it, where they did; not part of what the block is. */
  readonly parallel?: ParallelStatistics;
}

/** A block, or its first part, before the proposer is paid. Survives a structured clone. */
export interface UnsettledBlock {
  readonly executed: ExecutedBlock;
  /** What is due to the proposer. */
  readonly tips: bigint;
}

/** What a block used before its transactions, and owes its proposer for it. */
export interface PriorUsage {
  readonly gasUsed: bigint;
  readonly tips: bigint;
}

/** A transaction that was executed, on its way into the block. */
export interface TransactionResult
  extends Pick<TransactionOutcome, 'outcome' | 'gasUsed' | 'tip' | 'logs' | 'touched' | 'message'> {
  /** borsh(LedgerReceipt). */
  readonly receipt: Uint8Array;
  /** The receipt as it is stored, with its details. */
  readonly storedReceipt: Uint8Array;
}

/**
 * Executes a transaction that may be in the block on the block's state, by its place among the candidates.
 * @returns undefined, and nothing done, where that has to wait
 */
export type RunTransaction<T> = (executable: T, index: number) => TransactionResult | undefined;

/** Executes the transactions of one block one after another; the caller may pause between them. */
export class BlockExecution {
  /** As of the groups added so far. */
  readonly state: WorldState;
  readonly #env: BlockEnvironment;
  readonly #machine: ContractMachine | undefined;
  readonly #excluded: ExcludedCandidate[] = [];
  readonly #failedBundles: FailedBundle[] = [];
  readonly #receipts: Uint8Array[] = [];
  readonly #storedReceipts: Uint8Array[] = [];
  readonly #contractTransactions = new Map<string, number[]>();
  readonly #events: { index: number; logs: LedgerReceipt['logs'] }[] = [];
  #gasUsed: bigint;
  #bundleGas = 0n;
  #tips: bigint;

  /**
   * @param machine left out where no transaction runs code
   * @param before counts as used; left out where nothing comes before the transactions
   */
  constructor(env: BlockEnvironment, source: StateSource, machine?: ContractMachine, before?: PriorUsage) {
    this.#env = env;
    this.#gasUsed = before?.gasUsed ?? 0n;
    this.#tips = before?.tips ?? 0n;
    this.state = new WorldState(source);
    this.#machine = machine;
  }

  /** What those added so far left of the block's gas. */
  get gasLeft(): bigint {
    return this.#env.gasLimit - this.#gasUsed;
  }

  /** Those left out so far. */
  get excluded(): readonly ExcludedCandidate[] {
    return this.#excluded;
  }

  /** What bundles took so far: the gas of those included, and of those that were tried without success what they declare. */
  get bundleGas(): bigint {
    return this.#bundleGas;
  }

  /**
   * Executes the next candidates. A transaction that cannot be in the block is left out as if it had not been tried; so
   * is a bundle, unless it fits as a whole and all its members can be in the block and succeed.
   */
  add(group: AtomicGroup<Executable>): void {
    this.addBy(group, (executable) => this.execute(executable));
  }

  /**
   * Does as {@link add} with whatever executes the transactions.
   * @returns false, and nothing done, where one of them has to wait
   */
  addBy<T extends Executable>(group: AtomicGroup<T>, run: RunTransaction<T>): boolean {
    if (group.bundle) return this.#addBundle(group, run);
    return group.members.every((executable, place) => this.#addOne(group.start + place, executable, run));
  }

  /** Executes a transaction that may be in the block. */
  execute({ hash, sender, signed }: Executable): TransactionResult {
    return resultOf(hash, executeCandidate(signed, sender, this.#context()));
  }

  /** Executes what an envelope held, and puts it into the block; before any candidates. */
  executeOpening(opening: Opening): void {
    const outcome = executeOpening(opening, this.#context());
    this.#include(resultOf(opening.hash, outcome, opening.details));
  }

  #context(): ExecutionContext {
    const machine = this.#machine;
    return { state: this.state, env: this.#env, ...(machine === undefined ? {} : { machine }) };
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

  /** Why a transaction cannot be in the block here. */
  #problem({ sender, signed }: Executable, gasLeft?: bigint): InclusionProblem | undefined {
    return candidateProblem(signed.transaction, sender, this.state, this.#env, gasLeft);
  }

  #include({ receipt, storedReceipt, gasUsed, tip, logs, touched }: TransactionResult): void {
    const index = this.#receipts.length;
    for (const name of touched) {
      const indexes = this.#contractTransactions.get(name);
      if (indexes === undefined) this.#contractTransactions.set(name, [index]);
      else indexes.push(index);
    }
    if (logs.length > 0) this.#events.push({ index, logs });
    this.#receipts.push(receipt);
    this.#storedReceipts.push(storedReceipt);
    this.#gasUsed += gasUsed;
    this.#tips += tip;
  }

  /** Leaves a bundle out, for what came of the candidate with this index. */
  #exclude(span: BundleSpan, index: number, failed: TransactionResult | InclusionProblem): void {
    for (let offset = 0; offset < span.length; offset++) {
      this.#excluded.push({ index: span.start + offset, problem: 'bundle' });
    }
    if (typeof failed === 'string') {
      this.#failedBundles.push({ ...span, index, problem: failed });
    } else {
      const { outcome, message } = failed;
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
      this.state.addBalance(proposer, this.#tips);
    }
    return this.#executed();
  }

  /** What it came to so far, for who executes the rest of the block elsewhere; nothing may be added after. */
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
      writes: this.state.writes(),
      codes: this.state.codes(),
      idls: this.state.idls(),
      contractTransactions: this.#contractTransactions,
      events: this.#events,
    };
  }
}

/** The most that the members of a bundle can use together: whether it fits is decided by that, before any of them runs. */
export function gasLimitOf(members: readonly { readonly signed: SignedCandidate }[]): bigint {
  return members.reduce((sum, { signed }) => sum + signed.transaction.gas_limit, 0n);
}

function resultOf(
  hash: Uint8Array,
  outcome: TransactionOutcome,
  opening?: OpeningDetails,
): TransactionResult {
  const { gasUsed, tip, logs, touched, message } = outcome;
  const { receipt, storedReceipt } = encodeReceipts(hash, outcome, opening);
  return {
    receipt,
    storedReceipt,
    outcome: outcome.outcome,
    gasUsed,
    tip,
    logs,
    touched,
    ...(message === undefined ? {} : { message }),
  };
}

/**
 * The receipt of a transaction with this hash, as the chain commits to it and as it is stored.
 * @param opening where it is that of an opening
 */
export function encodeReceipts(
  hash: Uint8Array,
  { outcome, gasUsed, fee, contract, output, logs, message, trap, raisedBy }: TransactionOutcome,
  opening?: OpeningDetails,
): Pick<TransactionResult, 'receipt' | 'storedReceipt'> {
  const receipt = ledger.LedgerReceipt.encode({
    tx_hash: hash,
    outcome: { type: outcome },
    gas_used: gasUsed,
    fee,
    ...(contract === undefined ? {} : { contract }),
    output,
    logs,
  });
  const storedReceipt = encodeStoredReceipt(receipt, {
    ...(message === undefined ? {} : { message }),
    ...(trap === undefined ? {} : { trap: { kind: trap.kind, backtrace: trap.backtrace } }),
    ...(raisedBy === undefined ? {} : { raisedBy }),
    ...(opening === undefined ? {} : { opening }),
  });
  return { receipt, storedReceipt };
}
