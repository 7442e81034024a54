import type { Action } from '../generated/ledger.js';
import { defaultGasLimit } from '../ledger/gas.js';
import { type ActionLike, actionBytes } from './action-bytes.js';
import { type AddressLike, addressBytes } from './address-text.js';
import { checkBigints } from './checked-arguments.js';
import { ClientError } from './client-error.js';
import type { Contract } from './contract.js';
import { type ContractArguments, encodeCall } from './contract-interface.js';
import type { Sender } from './sender.js';
import type { Signer } from './signers.js';

interface BundleItemOptions {
  /** Who signs: a sender, or a signer in lane 0. */
  readonly sender: Sender | Signer;
  /**
   * Default: a quarter above the estimate of the preflight, less if a bundle may not have so much, or without a preflight that
   * of `Sender.send`.
   */
  readonly gasLimit?: bigint;
  /** Maximum price per unit of gas; default as for `Sender.send`. */
  readonly maxFee?: bigint;
  /** Additional fee for the proposer per unit of gas; default 0. */
  readonly priorityFee?: bigint;
}

/** One transaction of a bundle: an action, a transfer, or a contract call by name. */
export type BundleItem = BundleItemOptions &
  (
    | { readonly action: ActionLike }
    | { readonly to: AddressLike; readonly amount: bigint }
    | {
        readonly contract: Contract | { readonly untyped: Contract } | AddressLike;
        readonly method: string;
        readonly args?: ContractArguments;
        /** Native balance to send with the call; default 0. */
        readonly value?: bigint;
      }
  );

interface LabelledAction {
  readonly action: Action;
  /** For messages, such as `Token.transfer`. */
  readonly label: string;
}

/** A {@link BundleItem} ready to sign. */
export interface BundleStep extends LabelledAction {
  readonly sender: Sender;
  readonly options: Omit<BundleItemOptions, 'sender'>;
  readonly defaultGasLimit: bigint;
}

/** The parts of a `Client` that items refer to. */
export interface ItemContext {
  sender(signer: Signer): Sender;
  contract(address: AddressLike): Contract;
}

/** @throws ClientError `bad_argument`, `bad_address`; RpcCallError if the contract's interface cannot be read */
export async function bundleStep(item: BundleItem, context: ItemContext): Promise<BundleStep> {
  checkBigints(item);
  const labelled = await actionOf(item, context);
  const { sender, gasLimit, maxFee, priorityFee } = item;
  return {
    sender: 'signer' in sender ? sender : context.sender(sender),
    ...labelled,
    options: {
      ...(gasLimit !== undefined && { gasLimit }),
      ...(maxFee !== undefined && { maxFee }),
      ...(priorityFee !== undefined && { priorityFee }),
    },
    defaultGasLimit: defaultGasLimit(labelled.action),
  };
}

async function actionOf(item: BundleItem, context: ItemContext): Promise<LabelledAction> {
  if ('action' in item) return { action: actionBytes(item.action), label: item.action.type };
  if ('to' in item) {
    const value = { to: addressBytes(item.to, 'to'), amount: item.amount };
    return { action: actionBytes({ type: 'transfer', value }), label: 'transfer' };
  }
  if ('contract' in item) {
    const { contract: given, method, args, value = 0n } = item;
    const isAddress = typeof given === 'string' || given instanceof Uint8Array;
    const contract = isAddress ? context.contract(given) : 'untyped' in given ? given.untyped : given;
    const abi = await contract.abi();
    const input = encodeCall(abi, method, args);
    const call = { contract: contract.address, input, value };
    return { action: actionBytes({ type: 'call', value: call }), label: `${abi.name}.${method}` };
  }
  throw new ClientError('bad_argument', 'expected a member action, to or contract');
}
