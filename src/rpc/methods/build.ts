import type { Chain } from '../../consensus/chain.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { Action, Call } from '../../generated/ledger.js';
import type { ActionArgs, CallArgs, TxBuildArgs, TxBuildResult } from '../../generated/node-rpc-v1.js';
import { AbiError } from '../../idl/abi-context.js';
import type { ContractAbi } from '../../idl/contract-abi.js';
import { IdlError } from '../../idl/diagnostics.js';
import { callInput } from '../../ledger/call-input.js';
import { ledger } from '../../ledger/codecs.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import { nextBaseFee } from '../../ledger/fees.js';
import { defaultGasLimit, leastGasLimit } from '../../ledger/gas.js';
import { actionValue } from '../../ledger/queries/tx-summary.js';
import { transactionHash } from '../../ledger/verified-transaction.js';
import type { Mempool } from '../../mempool/pool.js';
import { invalidParams } from '../errors.js';
import type { MethodHandlers } from '../handlers.js';
import { contractAt } from './contracts.js';

/** What building transactions looks at. */
export interface BuildSources {
  readonly chain: Chain;
  readonly crypto: Crypto;
  readonly pool: Mempool;
  /** Of the main thread. */
  readonly interfaces: ContractInterfaces;
}

const MAX_U128 = (1n << 128n) - 1n;

export function buildHandlers(sources: BuildSources): Pick<MethodHandlers, 'tx_build'> {
  return { tx_build: (args) => build(sources, args) };
}

/** The transaction that the arguments describe, with what they leave out filled in from the chain. */
function build(sources: BuildSources, args: TxBuildArgs): TxBuildResult {
  const { chain, crypto, pool } = sources;
  const lane = args.lane ?? 0;
  const priorityFee = args.priority_fee ?? 0n;
  const sender = Buffer.from(args.sender).toString('hex');
  const action = actionOf(sources, args.action);
  const maxFee = args.max_fee ?? defaultMaxFee(nextBaseFee(chain.tip.header), priorityFee);
  const transaction = {
    chain_id: chain.tip.header.chain_id,
    sender: args.sender,
    lane,
    nonce: args.nonce ?? pool.nextNonce(sender, lane),
    gas_limit: args.gas_limit ?? affordableGasLimit(chain, sender, action, maxFee),
    max_fee: maxFee,
    priority_fee: priorityFee,
    ...(args.valid_until === undefined ? {} : { valid_until: args.valid_until }),
    action,
  };
  const encoded = ledger.Transaction.encode(transaction);
  return { transaction, encoded, tx_hash: transactionHash(encoded, crypto) };
}

/** The action with its calls encoded. */
function actionOf(sources: BuildSources, action: ActionArgs): Action {
  switch (action.type) {
    case 'call':
      return { type: 'call', value: callOf(sources, action.value, 'params.action.call') };
    case 'batch':
      return {
        type: 'batch',
        value: action.value.map((call, i) => callOf(sources, call, `params.action.batch[${i}]`)),
      };
    default:
      return action;
  }
}

function callOf(sources: BuildSources, args: CallArgs, path: string): Call {
  const { contract, value = 0n } = args;
  return { contract, input: callInput(args, () => interfaceOf(sources, args, path), path), value };
}

function interfaceOf(
  { chain, interfaces }: BuildSources,
  { contract, idl }: CallArgs,
  path: string,
): ContractAbi | undefined {
  if (idl === undefined) {
    const { idl_hash: hash } = contractAt(chain, contract);
    return hash === undefined ? undefined : interfaces.stored(hash);
  }
  try {
    return interfaces.strict(idl);
  } catch (error) {
    if (!(error instanceof IdlError) && !(error instanceof AbiError)) throw error;
    throw invalidParams(`${path}.idl`, 'the interface of one contract', error.message);
  }
}

function defaultMaxFee(baseFee: bigint, priorityFee: bigint): bigint {
  const fee = 2n * baseFee + priorityFee;
  return fee > MAX_U128 ? MAX_U128 : fee;
}

/** The usual limit, cut down to what a block has and the sender can pay, but not below what is needed in any case. */
function affordableGasLimit(chain: Chain, sender: string, action: Action, maxFee: bigint): bigint {
  const usual = defaultGasLimit(action);
  const least = leastGasLimit(action);
  const spare = chain.accounts.account(sender).balance - actionValue(action);
  const payable = maxFee === 0n ? usual : spare / maxFee;
  const most = [usual, chain.tip.header.gas_limit, payable].reduce((a, b) => (a < b ? a : b));
  return most > least ? most : least;
}
