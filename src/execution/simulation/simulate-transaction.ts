import { GAS, intrinsicGas } from '../../ledger/gas.js';
import type { CallObserver } from '../../vm/engine.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { ContractMachine } from '../contract-machine.js';
import { executeTransaction, type TransactionOutcome } from '../execute-transaction.js';
import { GasDependence } from '../gas-dependence.js';
import type { StateSource } from '../state-source.js';
import type { CallGas } from '../views/call-gas.js';
import { RecordedReads } from '../views/recorded-reads.js';
import { WorldState } from '../world-state.js';
import { type AccessRecord, accessRecord } from './access-record.js';
import { CallEnds, estimateGas } from './gas-estimate.js';
import type { InputTransaction } from './input-transaction.js';
import { feeOf, termsOf } from './what-if.js';

export interface TransactionContext {
  /** The state before the transaction; never written to. */
  readonly source: StateSource;
  readonly env: BlockEnvironment;
  /** The block's gas left by earlier transactions; all of it if absent. */
  readonly gasLeft?: bigint;
  readonly machine: ContractMachine;
  /** Counts the gas of all runs, if present. */
  readonly gas?: CallGas;
}

export interface SimulationOptions {
  /** Watches the transaction, but not the runs that estimate its gas. */
  readonly observer?: CallObserver;
  readonly withAccess?: boolean;
  /** Whether to skip the gas estimate, which is then the gas used. */
  readonly withoutEstimate?: boolean;
}

export interface SimulatedTransaction {
  readonly given: InputTransaction;
  /** Excludes the fee: see `fee`. */
  readonly outcome: TransactionOutcome;
  /** The fee paid, or for a run without fees the fee that the transaction would have to pay. */
  readonly fee: bigint;
  readonly gasEstimate: bigint;
  readonly state: WorldState;
  readonly access?: AccessRecord;
}

const NO_OUTPUT = new Uint8Array(0);

/** Runs one transaction as in a block, with the rules of `what-if.ts`. Hot: guarded by `bench/compare`. */
export function simulateTransaction(
  given: InputTransaction,
  { source, env, gasLeft = env.gasLimit, machine, gas }: TransactionContext,
  { observer, withAccess = false, withoutEstimate = false }: SimulationOptions = {},
): SimulatedTransaction {
  const recorder = withAccess ? new RecordedReads(source) : undefined;
  const state = new WorldState(recorder ?? source);
  const accessOf = () => (recorder === undefined ? {} : { access: accessRecord(recorder, state) });
  const terms = termsOf(given, state, env, gasLeft);
  if (typeof terms === 'string') return { ...refused(given, terms, state), ...accessOf() };
  const { transaction, price } = terms;
  const gasDependence = new GasDependence();
  const outcome = executeTransaction(transaction, given.sender, {
    state,
    env: terms.env,
    machine,
    gasDependence,
    ...(observer === undefined ? {} : { observer }),
  });
  gas?.use(outcome.gasUsed);
  const gasEstimate = withoutEstimate
    ? outcome.gasUsed
    : estimateGas({
        sender: given.sender,
        limit: transaction.gas_limit,
        ended: { outcome, state },
        dependsOnLimit: gasDependence.isObserved,
        run: (limit) => {
          const state = new WorldState(source);
          const tried = { ...transaction, gas_limit: limit };
          const ends = new CallEnds();
          const { observer } = ends;
          const outcome = executeTransaction(tried, given.sender, {
            state,
            env: terms.env,
            machine,
            observer,
          });
          gas?.use(outcome.gasUsed);
          return { outcome, state, ends };
        },
      });
  return { given, outcome, fee: feeOf(outcome.gasUsed, price), gasEstimate, state, ...accessOf() };
}

/**
 * Like {@link simulateTransaction}, once and with at most the given gas for the action; undefined if it needs more,
 * or if its result might depend on its limit. See `gas-estimate.ts` why the estimate holds otherwise.
 */
export function simulateTransactionWithin(
  maxGas: bigint,
  given: InputTransaction,
  { source, env, machine, gas }: TransactionContext,
): SimulatedTransaction | undefined {
  const state = new WorldState(source);
  const terms = termsOf(given, state, env, env.gasLimit);
  if (typeof terms === 'string') return refused(given, terms, state);
  const { transaction, price } = terms;
  const limit = maxGas + intrinsicGas(transaction) + GAS.lane_open;
  const isWhole = transaction.gas_limit <= limit;
  const gasDependence = new GasDependence();
  const outcome = executeTransaction(
    isWhole ? transaction : { ...transaction, gas_limit: limit },
    given.sender,
    { state, env: terms.env, machine, gasDependence },
  );
  gas?.use(outcome.gasUsed);
  const isOutOfGas = outcome.outcome === 'out_of_gas';
  if (gasDependence.isObserved || (isOutOfGas && !isWhole)) return undefined;
  const gasEstimate = isOutOfGas ? transaction.gas_limit : outcome.gasUsed;
  return { given, outcome, fee: feeOf(outcome.gasUsed, price), gasEstimate, state };
}

function refused(given: InputTransaction, message: string, state: WorldState): SimulatedTransaction {
  const outcome: TransactionOutcome = {
    outcome: 'invalid',
    gasUsed: 0n,
    fee: 0n,
    tip: 0n,
    message,
    output: NO_OUTPUT,
    logs: [],
    touched: [],
    payments: [],
  };
  return { given, outcome, fee: 0n, gasEstimate: 0n, state };
}
