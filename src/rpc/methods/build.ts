import type { Chain } from '../../chain/chain.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { Calls } from '../../execution/calls/worker-calls.js';
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
import { EncodedResult, type HandlerResult, type MethodHandlers, Parked } from '../handlers.js';
import { askForCall } from './calls.js';
import { contractAt } from './contracts.js';

export interface BuildSources {
  readonly chain: Chain;
  readonly crypto: Crypto;
  readonly pool: Mempool;
  readonly interfaces: ContractInterfaces;
  readonly calls: Calls;
}

export function buildHandlers(sources: BuildSources) {
  const build: MethodHandlers['tx_build'] = (args) => buildTransaction(sources, args);
  return { tx_build: build, tx_build_simulate: buildSimulateHandler(build, sources.calls) };
}

export function buildSimulateHandler(
  build: MethodHandlers['tx_build'],
  calls: Calls,
): MethodHandlers['tx_build_simulate'] {
  return async (args, call) => {
    let built = await builtBy(build(args, call));
    const granted = call.allowance?.gas;
    // The default gas limit follows from the action, which only the builder knows.
    if (args.gas_limit === undefined && granted !== undefined && built.transaction.gas_limit > granted) {
      built = await builtBy(build({ ...args, gas_limit: BigInt(granted) }, call));
    }
    const { transaction } = built;
    const params = rpcTypes.TxSimulateArgs.toJson({ transaction });
    const simulation = await askForCall(calls, 'tx_simulate', params, call);
    if (simulation instanceof Error) throw simulation;
    return new EncodedResult(
      `{"build":${rpcTypes.TxBuildResult.toJson(built)},"simulation":${simulation.json}}`,
    );
  };
}

async function builtBy(answer: HandlerResult<TxBuildResult>): Promise<TxBuildResult> {
  const built = await answer;
  if (built instanceof Error) throw built;
  if (built instanceof Parked) throw new TypeError('tx_build never waits for a block');
  return built instanceof EncodedResult ? rpcTypes.TxBuildResult.fromJson(JSON.parse(built.json)) : built;
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
