import type { Chain } from '../../chain/chain.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { CallScheduler } from '../../execution/calls/call-scheduler.js';
import type { CallArgs, TxBuildArgs, TxBuildResult } from '../../generated/node-rpc-v1.js';
import { AbiError } from '../../idl/abi/abi-context.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { IdlError } from '../../idl/compiler/diagnostics.js';
import { encodeAction, fillTransaction } from '../../ledger/build-transaction.js';
import { ledger } from '../../ledger/codecs.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import { nextBaseFee } from '../../ledger/fees.js';
import { defaultGasLimit } from '../../ledger/gas.js';
import { addressHex } from '../../ledger/hex-types.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { transactionHash } from '../../ledger/transaction-envelope.js';
import type { Mempool } from '../../mempool/pool.js';
import { invalidParams } from '../errors.js';
import { EncodedResult, type MethodHandlers } from '../handlers.js';
import { askForCall } from './calls.js';
import { contractAt } from './contracts.js';

export interface BuildSources {
  readonly chain: Chain;
  readonly crypto: Crypto;
  readonly pool: Mempool;
  /** The main thread's interface cache. */
  readonly interfaces: ContractInterfaces;
}

export function buildHandlers(
  sources: BuildSources & { readonly views: CallScheduler },
): Pick<MethodHandlers, 'tx_build' | 'tx_build_simulate'> {
  return {
    tx_build: (args) => buildTransaction(sources, args),
    tx_build_simulate: async (args, call) => {
      const build = buildTransaction(sources, args);
      const { transaction } = build;
      const simulation = await askForCall(
        sources.views,
        'tx_simulate',
        rpcTypes.TxSimulateArgs.toJson({ transaction }),
        call,
      );
      if (simulation instanceof Error) throw simulation;
      return new EncodedResult(
        `{"build":${rpcTypes.TxBuildResult.toJson(build)},"simulation":${simulation.json}}`,
      );
    },
  };
}

/** The transaction described by the arguments, with omitted fields filled in from the chain. */
function buildTransaction(sources: BuildSources, args: TxBuildArgs): TxBuildResult {
  const { chain, crypto, pool } = sources;
  const { header } = chain.tip;
  const sender = addressHex(args.sender);
  const action = encodeAction(args.action, (call, path) => interfaceOf(sources, call, path), 'params');
  const transaction = fillTransaction(args, action, {
    chainId: header.chain_id,
    baseFee: nextBaseFee(header),
    balance: chain.accounts.account(sender).balance,
    nonce: pool.nextNonce(sender, args.lane ?? 0),
    defaultGas: defaultGasLimit(action),
    maxGas: header.gas_limit,
  });
  const encoded = ledger.Transaction.encode(transaction);
  return { transaction, encoded, tx_hash: transactionHash(encoded, crypto) };
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
