import type { CallObserver } from '../../vm/engine.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { ContractMachine } from '../contract-machine.js';
import { executeTransaction, type TransactionOutcome } from '../execute-transaction.js';
import { GasDependence } from '../gas-dependence.js';
import type { StateSource } from '../state-source.js';
import { WorldState } from '../world-state.js';
import { type AccessRecord, accessRecord } from './access-record.js';
import { estimateGas } from './gas-estimate.js';
import type { InputTransaction } from './input-transaction.js';
import { ReadRecorder } from './read-recorder.js';
import { feeOf, termsOf } from './what-if.js';

/** What a transaction is simulated in. */
export interface TransactionContext {
  /** The state before it; nothing is written to it. */
  readonly source: StateSource;
  /** The block that it is in. */
  readonly env: BlockEnvironment;
  /** What the transactions before it left of the block's gas; all of it, if absent. */
  readonly gasLeft?: bigint;
  readonly machine: ContractMachine;
}

export interface SimulationOptions {
  /** Watches the transaction, but none of the runs by which its gas is estimated. */
  readonly observer?: CallObserver;
  /** Whether to note what the transaction reads and writes. */
  readonly withAccess?: boolean;
  /** Whether to leave the estimate of gas out: it is then the gas used. */
  readonly withoutEstimate?: boolean;
}

export interface SimulatedTransaction {
  readonly given: InputTransaction;
  /** Without the fee: see `fee`. */
  readonly outcome: TransactionOutcome;
  /** What the transaction pays, or would have to pay where it ran without fees. */
  readonly fee: bigint;
  readonly gasEstimate: bigint;
  /** The state as the transaction left it. */
  readonly state: WorldState;
  /** Present where it was asked for. */
  readonly access?: AccessRecord;
}

const NO_OUTPUT = new Uint8Array(0);

/**
 * Runs one transaction as it would run in a block; what may keep it out of one is weighed by the rules of `what-if.ts`.
 * Hot: guarded by `bench/compare`.
 */
export function simulateTransaction(
  given: InputTransaction,
  { source, env, gasLeft = env.gasLimit, machine }: TransactionContext,
  { observer, withAccess = false, withoutEstimate = false }: SimulationOptions = {},
): SimulatedTransaction {
  const recorder = withAccess ? new ReadRecorder(source) : undefined;
  const state = new WorldState(recorder ?? source);
  const accessOf = () => (recorder === undefined ? {} : { access: accessRecord(recorder, state) });
  const terms = termsOf(given, state, env, gasLeft);
  if (typeof terms === 'string') {
    return { given, outcome: refused(terms), fee: 0n, gasEstimate: 0n, state, ...accessOf() };
  }
  const { transaction, price } = terms;
  const gasDependence = new GasDependence();
  const outcome = executeTransaction(transaction, given.sender, {
    state,
    env: terms.env,
    machine,
    gasDependence,
    ...(observer === undefined ? {} : { observer }),
  });
  const gasEstimate = withoutEstimate
    ? outcome.gasUsed
    : estimateGas({
        sender: given.sender,
        limit: transaction.gas_limit,
        ended: { outcome, state },
        isBound: gasDependence.isObserved,
        run: (limit) => {
          const state = new WorldState(source);
          const tried = { ...transaction, gas_limit: limit };
          const outcome = executeTransaction(tried, given.sender, { state, env: terms.env, machine });
          return { outcome, state };
        },
      });
  return { given, outcome, fee: feeOf(outcome.gasUsed, price), gasEstimate, state, ...accessOf() };
}

/** What a transaction comes to that cannot be in the block. */
function refused(message: string): TransactionOutcome {
  return {
    outcome: 'invalid',
    gasUsed: 0n,
    fee: 0n,
    tip: 0n,
    message,
    output: NO_OUTPUT,
    logs: [],
    touched: [],
  };
}
