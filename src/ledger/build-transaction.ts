import { bigMax, bigMin } from '../base/big-ints.js';
import type { Action, Call, Transaction } from '../generated/ledger.js';
import type { ActionArgs, CallArgs, TxBuildArgs } from '../generated/node-rpc-v1.js';
import type { ContractAbi } from '../idl/abi/contract-abi.js';
import { actionValue } from './action-facts.js';
import { callInput } from './call-input.js';
import { MAX_BALANCE } from './constants.js';
import { minGasLimit } from './gas.js';

/** Looks up the interface for a call by name; undefined if the contract has none. @param path for errors */
export type InterfaceOfCall = (call: CallArgs, path: string) => ContractAbi | undefined;

/**
 * Encodes the calls of an action. @param path of the transaction's arguments: `params`
 * @throws JsonDecodeError naming the invalid member, and any error of `interfaceOf`
 */
export function encodeAction(action: ActionArgs, interfaceOf: InterfaceOfCall, path: string): Action {
  switch (action.type) {
    case 'call':
      return { type: 'call', value: encodeCall(action.value, interfaceOf, `${path}.action.call`) };
    case 'batch':
      return {
        type: 'batch',
        value: action.value.map((call, i) => encodeCall(call, interfaceOf, `${path}.action.batch[${i}]`)),
      };
    default:
      return action;
  }
}

function encodeCall(args: CallArgs, interfaceOf: InterfaceOfCall, path: string): Call {
  const { contract, value = 0n } = args;
  return { contract, input: callInput(args, () => interfaceOf(args, path), path), value };
}

/** Chain and account data that fill in omitted arguments. */
export interface BuildContext {
  readonly chainId: bigint;
  /** Base fee of the block the transaction is meant for. */
  readonly baseFee: bigint;
  readonly balance: bigint;
  readonly nonce: bigint;
  /** Default gas limit, used unless `maxGas` or the balance allows less. */
  readonly defaultGas: bigint;
  readonly maxGas: bigint;
}

export function fillTransaction(args: TxBuildArgs, action: Action, facts: BuildContext): Transaction {
  const priorityFee = args.priority_fee ?? 0n;
  const maxFee = args.max_fee ?? defaultMaxFee(facts.baseFee, priorityFee);
  return {
    chain_id: facts.chainId,
    sender: args.sender,
    lane: args.lane ?? 0,
    nonce: args.nonce ?? facts.nonce,
    gas_limit: args.gas_limit ?? affordableGasLimit(action, maxFee, facts),
    max_fee: maxFee,
    priority_fee: priorityFee,
    ...(args.valid_until === undefined ? {} : { valid_until: args.valid_until }),
    action,
  };
}

function defaultMaxFee(baseFee: bigint, priorityFee: bigint): bigint {
  return bigMin(2n * baseFee + priorityFee, MAX_BALANCE);
}

/** The default limit, capped by the maximum and by the sender's balance, but never below the action's minimum. */
function affordableGasLimit(
  action: Action,
  maxFee: bigint,
  { defaultGas, maxGas, balance }: BuildContext,
): bigint {
  const payable = maxFee === 0n ? defaultGas : (balance - actionValue(action)) / maxFee;
  return bigMax(minGasLimit(action), [defaultGas, maxGas, payable].reduce(bigMin));
}
