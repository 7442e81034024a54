import { defined } from '../base/defined.js';
import type { Action, Outcome } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { MAX_BALANCE } from '../ledger/constants.js';
import { controlInput } from '../ledger/dev-controls.js';
import { GAS, intrinsicGas } from '../ledger/gas.js';
import { hasLane, MAX_LANES, nextNonce, withNextNonce } from '../ledger/lanes.js';
import { reservedSlots } from '../ledger/opening-slots.js';
import type { Candidate } from '../ledger/transaction-envelope.js';
import type { CallObserver, Trap } from '../vm/engine.js';
import { type ActionContext, type ActionEffect, OUT_OF_GAS } from './actions/action-effect.js';
import { applyBatch, applyCall } from './actions/call.js';
import { applyDeploy } from './actions/deploy.js';
import { applyDevChanges, type DevChangeParts } from './actions/dev-changes.js';
import { applyTransfer } from './actions/transfer.js';
import { applyUpgrade } from './actions/upgrade.js';
import type { BlockEnvironment } from './block-environment.js';
import { ContractHost } from './contract-host.js';
import type { ContractMachine } from './contract-machine.js';
import { type GasDependence, GasWithheld } from './gas-dependence.js';
import { gasPrice } from './prices.js';
import type { EndedTransaction, WorldState } from './world-state.js';

/*
 * Executes one transaction, by these rules:
 *
 * 1. It is eligible only if its nonce is its lane's next, the block is not past valid_until, max_fee covers the base
 *    fee, an envelope's max_seal_fee covers its opening slots, and the sender can pay gas_limit × price, price =
 *    base_fee + min(priority_fee, max_fee − base_fee); and only if it fits: gas_limit is at most the block's gas limit
 *    less the gas used before it. Its gas_limit must cover its intrinsic gas, because a block's gas pays for everything
 *    in it.
 * 2. The lane's nonce increases with every outcome.
 * 3. Gas used is the intrinsic gas, plus the price of opening a lane, plus the gas of the action. If the total
 *    exceeds gas_limit, the outcome is out_of_gas and all of gas_limit is used.
 * 4. A failed action changes nothing. Including an envelope always succeeds and does nothing else: its action
 *    executes when it is opened (`sealed/`). The rest of gas_limit × max_fee is reserved for that; an envelope whose
 *    gas_limit does not cover its inclusion cannot be in the block.
 * 5. The sender pays gas_used × price, and for an envelope's opening slots the price of the block. The base fee's part
 *    and the slots' price are burned; the proposer gets the rest at the end of the block, so that the payment makes no
 *    conflict between transactions.
 * 6. On a development chain, a development control (`ledger/dev-controls.ts`) pays nothing, and makes changes instead of
 *    a call. Its gas counts as any other.
 */

/** Why a transaction cannot be in a block at this point. */
export type InclusionProblem =
  | 'nonce'
  | 'expired'
  | 'fee_too_low'
  | 'insufficient_balance'
  | 'too_many_lanes'
  | 'block_full'
  /** gas_limit does not cover the intrinsic gas, or an envelope's inclusion. */
  | 'gas_limit_too_low'
  | EnvelopeProblem;

/** Why an envelope cannot be in a block at this point, in addition to the reasons for any transaction. */
export type EnvelopeProblem =
  /** It opens too far ahead. */
  | 'opens_too_late'
  /** Its payload exceeds the size limit. */
  | 'payload_too_large'
  /** The price of its opening slots is above its max_seal_fee. */
  | 'seal_fee_too_low'
  /** Too few opening slots are left at its height. */
  | 'opening_full'
  /** The block's envelopes before it left too few opening slots. */
  | 'slots_taken';

/** The gas that a transaction used, and what its sender paid for it. */
interface GasPaid {
  readonly gasUsed: bigint;
  /** gasUsed × price; for the inclusion of an envelope, plus the price of its opening slots. */
  readonly fee: bigint;
  /** The proposer's part of the fee. */
  readonly tip: bigint;
}

export interface TransactionOutcome extends EndedTransaction, GasPaid {
  readonly outcome: Outcome['type'];
  /** Human-readable reason for a failure; the chain does not commit to it. */
  readonly message?: string;
  /** The chain does not commit to it. */
  readonly trap?: Trap;
  /** Address of the called contract that raised the revert data, 20 bytes; the chain does not commit to it. */
  readonly raisedBy?: Uint8Array;
  /** Address of the deployed contract, 20 bytes. */
  readonly contract?: Uint8Array;
  readonly output: Uint8Array;
}

const NO_OUTPUT = new Uint8Array(0);

/** Checks rule 1. @param gasLeft the block's remaining gas; absent if the transaction is known to fit */
export function inclusionProblem(
  transaction: Candidate,
  sender: string,
  state: WorldState,
  env: BlockEnvironment,
  gasLeft?: bigint,
): InclusionProblem | undefined {
  const account = state.account(sender);
  if (nextNonce(account, transaction.lane) !== transaction.nonce) return 'nonce';
  if (transaction.valid_until !== undefined && transaction.valid_until < env.height) return 'expired';
  if (transaction.max_fee < env.baseFee) return 'fee_too_low';
  if (isSlotPriceTooHigh(transaction, env)) return 'seal_fee_too_low';
  if (account.balance < reservedFee(transaction, env)) return 'insufficient_balance';
  if (account.lanes.length >= MAX_LANES && !hasLane(account, transaction.lane)) return 'too_many_lanes';
  const isSealed = transaction.action.type === 'sealed';
  const needed = ownGas(transaction, isSealed && !hasLane(account, transaction.lane));
  if (transaction.gas_limit < needed) return 'gas_limit_too_low';
  if (gasLeft !== undefined && transaction.gas_limit > gasLeft) return 'block_full';
  return undefined;
}

/** The price of an envelope's opening slots in a block, which its inclusion burns; 0 for other transactions. */
export function slotFee(transaction: Candidate, { slotPrice, gasLimit }: BlockEnvironment): bigint {
  return BigInt(reservedSlots(transaction, gasLimit)) * slotPrice;
}

function isSlotPriceTooHigh(transaction: Candidate, env: BlockEnvironment): boolean {
  const { action } = transaction;
  return action.type === 'sealed' && slotFee(transaction, env) > action.value.header.max_seal_fee;
}

/** Taken before execution: gas_limit × price; for an envelope, gas_limit × max_fee and its slots' price. */
function reservedFee(transaction: Candidate, env: BlockEnvironment): bigint {
  if (transaction.action.type === 'sealed') {
    return transaction.gas_limit * transaction.max_fee + slotFee(transaction, env);
  }
  return transaction.gas_limit * gasPrice(transaction, env).price;
}

function ownGas(transaction: Candidate, opensLane: boolean): bigint {
  const gas = intrinsicGas(transaction);
  return opensLane ? gas + GAS.lane_open : gas;
}

/** Whether some state allows it; others are not tried: they could run too long, or overflow the encoding. */
export function canEverBeIncluded(transaction: Candidate, env: BlockEnvironment): boolean {
  return transaction.gas_limit <= env.gasLimit && reservedFee(transaction, env) <= MAX_BALANCE;
}

export interface ExecutionContext {
  readonly state: WorldState;
  readonly env: BlockEnvironment;
  /** Absent if only transfers and envelopes are executed. */
  readonly machine?: ContractMachine;
  readonly observer?: CallObserver;
  /** Records dependence on the gas limit, if the caller needs it. */
  readonly gasDependence?: GasDependence;
  /** Gas that the transaction may use: what lies beyond does not count as its limit, but ends the execution. */
  readonly mostGas?: bigint;
  /** Whether the transaction is the first of its lane, if the state cannot tell; see `parallel/speculate.ts`. */
  readonly opensLane?: boolean;
}

/**
 * Executes a transaction without an {@link inclusionProblem} on the state.
 * @throws GasWithheld, in the middle of the transaction, if `mostGas` may not suffice for its outcome
 */
export function executeTransaction(
  transaction: Candidate,
  sender: string,
  context: ExecutionContext,
): TransactionOutcome {
  const { state, env } = context;
  const { price, tip: tipPrice } = gasPrice(transaction, env);
  const lanes = state.lanes(sender);
  const opensLane = context.opensLane ?? !hasLane({ lanes }, transaction.lane);
  const reserved = reservedFee(transaction, env);
  state.startTransaction(sender, withNextNonce(lanes, transaction.lane, transaction.nonce + 1n), reserved);

  const gas = ownGas(transaction, opensLane);
  const { action } = transaction;
  if (action.type === 'sealed') {
    state.endTransaction();
    const paid = { gasUsed: gas, fee: gas * price + slotFee(transaction, env), tip: gas * tipPrice };
    return { outcome: 'success', ...paid, output: NO_OUTPUT, logs: [], touched: [], payments: [] };
  }
  const savepoint = state.savepoint();
  const { gas_limit: limit } = transaction;
  const { mostGas = limit } = context;
  const withheldGas = mostGas < limit ? limit - mostGas : 0n;
  const gasLeft = limit - withheldGas - gas;
  const effect =
    gasLeft < 0n ? OUT_OF_GAS : applyOf(transaction, action, sender, context, gasLeft, withheldGas);
  if (withheldGas > 0n && effect.outcome === 'out_of_gas') throw new GasWithheld(0n);
  if (effect.outcome !== 'success') state.revert(savepoint);

  const gasUsed = effect.outcome === 'out_of_gas' ? limit : gas + effect.gas;
  const fee = gasUsed * price;
  if (reserved !== fee) state.addBalance(sender, reserved - fee);
  return outcomeOf(effect, { gasUsed, fee, tip: gasUsed * tipPrice }, state.endTransaction());
}

/** Applies the action of a transaction, or the changes of a development control. */
function applyOf(
  transaction: Candidate,
  action: Action,
  sender: string,
  context: ExecutionContext,
  gasLeft: bigint,
  withheldGas: bigint,
): ActionEffect {
  const input = controlInput(transaction, context.env);
  if (input === undefined) {
    return applyAction(action, transaction.sender, sender, context, gasLeft, withheldGas);
  }
  const { state, machine } = context;
  if (machine === undefined) throw new TypeError('cannot execute a development control without an engine');
  context.gasDependence?.record();
  if (withheldGas > 0n) throw new GasWithheld(gasLeft);
  const perform: DevChangeParts['perform'] = (performed, as, gas) =>
    applyAction(performed, as, toHex(as), context, gas);
  return applyDevChanges(input, { state, machine, gasLeft, perform });
}

export function outcomeOf(
  { outcome, message, trap, raisedBy, contract, output = NO_OUTPUT }: ActionEffect,
  { gasUsed, fee, tip }: GasPaid,
  { logs, touched, payments }: EndedTransaction,
): TransactionOutcome {
  const ended = { outcome, gasUsed, fee, tip, output, logs, touched, payments };
  const others = message ?? trap ?? raisedBy ?? contract;
  // Most have none: a literal is a microsecond faster than a spread.
  return others === undefined ? ended : { ...ended, ...defined({ message, trap, raisedBy, contract }) };
}

/**
 * Applies an action; its gas excludes the intrinsic gas. If it fails, the caller undoes the writes.
 * @param withheldGas see `Frame.withheldGas`
 */
export function applyAction(
  action: Action,
  sender: Uint8Array,
  senderName: string,
  { state, env, machine, observer, gasDependence }: ExecutionContext,
  gasLeft: bigint,
  withheldGas = 0n,
): ActionEffect {
  if (action.type === 'transfer') {
    const effect = applyTransfer(action.value, senderName, state, gasLeft);
    if (effect.outcome !== 'success') gasDependence?.record();
    return effect;
  }
  if (machine === undefined) throw new TypeError(`cannot execute a ${action.type} without an engine`);
  // Deployments and upgrades are always assumed to depend on the gas limit.
  if (action.type === 'deploy' || action.type === 'upgrade') gasDependence?.record();
  const host = new ContractHost({ state, env, machine, observer, gasDependence });
  const effect = applyByMachine(action, { state, env, machine, host, sender, gasLeft, withheldGas });
  const raisedBy =
    effect.outcome === 'reverted' && effect.output !== undefined ? host.raiserOf(effect.output) : undefined;
  return raisedBy === undefined ? effect : { ...effect, raisedBy };
}

function applyByMachine(
  action: Exclude<Action, { readonly type: 'transfer' }>,
  context: ActionContext,
): ActionEffect {
  switch (action.type) {
    case 'call':
      return applyCall(action.value, context);
    case 'batch':
      return applyBatch(action.value, context);
    case 'deploy':
      return applyDeploy(action.value, context);
    case 'upgrade':
      return applyUpgrade(action.value, context);
  }
}
