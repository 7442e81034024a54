import type { Crypto } from '../../crypto/crypto.js';
import type { Signature, Transaction } from '../../generated/ledger.js';
import type { TxBuildArgs, TxSimulateArgs } from '../../generated/node-rpc-v1.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import { addressName } from '../../ledger/address-names.js';
import { encodeAction, fillTransaction, type InterfaceOfCall } from '../../ledger/build-transaction.js';
import { ledger } from '../../ledger/codecs.js';
import { defaultGasLimit } from '../../ledger/gas.js';
import { nextNonce } from '../../ledger/lanes.js';
import { transactionHash } from '../../ledger/transaction-envelope.js';
import type { BlockEnvironment } from '../block-environment.js';
import { isSignedBySender } from '../signature-batch.js';
import { CallError, invalidParams, noContractAt } from '../views/call-error.js';
import type { CallGas } from '../views/call-gas.js';
import type { StateInterfaces } from '../views/state-interfaces.js';
import type { WorldState } from '../world-state.js';

export interface InputTransaction {
  readonly transaction: Transaction;
  /** The sender's address, 40 lowercase hex digits. */
  readonly sender: string;
  /** borsh(Transaction), if it came with the call. */
  readonly encoded?: Uint8Array;
  /** Whether the transaction has a signature, which has then been verified. */
  readonly isSigned: boolean;
  /** Interfaces that came with its calls, by the contract's address. */
  readonly given: ReadonlyMap<string, ContractAbi>;
}

export interface InputContext {
  readonly crypto: Crypto;
  readonly state: WorldState;
  readonly env: BlockEnvironment;
  readonly gas: CallGas;
  readonly interfaces: StateInterfaces;
  readonly abiOf: (contract: Uint8Array) => ContractAbi | undefined;
}

/** The arguments that give a transaction, and the interface of the contracts that it calls. */
export type TransactionArgs = Pick<TxSimulateArgs, 'transaction' | 'build' | 'encoded' | 'idl'>;

const NO_INTERFACES: ReadonlyMap<string, ContractAbi> = new Map();

/**
 * Returns the transaction given by exactly one of `transaction`, `build` and `encoded`.
 * @param path of the arguments, for errors @throws CallError, JsonDecodeError
 */
export function resolveTransaction(
  { transaction, build, encoded }: TransactionArgs,
  scene: InputContext,
  path: string,
): InputTransaction {
  const members = [transaction, build, encoded].filter((member) => member !== undefined).length;
  if (members !== 1) {
    throw invalidParams(path, 'exactly one of transaction, build and encoded', `${members} of them`);
  }
  if (build !== undefined) return checked(builtTransaction(build, scene, `${path}.build`), scene, path);
  if (encoded !== undefined)
    return checked(encodedTransaction(encoded, scene.crypto, `${path}.encoded`), scene, path);
  if (transaction === undefined) throw new TypeError('one of the members is there');
  return checked(unsigned(transaction), scene, path);
}

/**
 * Decodes borsh(Transaction), or borsh(SignedTransaction), whose signature must be valid. borsh(Transaction) is a
 * proper prefix of borsh(SignedTransaction), so the bytes after it can only be a signature. Hot: guarded by
 * `bench/calls.bench.ts`.
 * @throws CallError if the bytes are neither, or the signature is invalid
 */
export function encodedTransaction(encoded: Uint8Array, crypto: Crypto, path: string): InputTransaction {
  const first = expectDecoded(encoded, path, () => ledger.Transaction.decodeFirst(encoded));
  const body = encoded.subarray(0, first.length);
  const given = unsigned(first.value, body);
  if (first.length === encoded.length) return given;
  const signature = expectDecoded(encoded, path, () => signatureAfter(body, encoded));
  const { public_key: publicKey, signature: bytes } = signature.value;
  const hash = transactionHash(body, crypto);
  const { sender } = given.transaction;
  if (!isSignedBySender({ scheme: signature.type, hash, sender, publicKey, signature: bytes }, crypto)) {
    throw new CallError({
      code: 'transaction_rejected',
      reason: 'bad_signature',
      message: `${path}: the signature is not one of the sender 0x${given.sender}`,
    });
  }
  return { ...given, isSigned: true };
}

/** @throws BorshError that reports `encoded` as an invalid borsh(Transaction) */
function signatureAfter(transaction: Uint8Array, encoded: Uint8Array): Signature {
  try {
    return ledger.Signature.decode(encoded.subarray(transaction.length));
  } catch (error) {
    if (error instanceof BorshError) ledger.Transaction.decode(encoded);
    throw error;
  }
}

/** Checks the rules for a transaction that do not depend on the state. */
export function checked(
  given: InputTransaction,
  { env, gas }: { readonly env: BlockEnvironment; readonly gas: CallGas },
  path: string,
): InputTransaction {
  const { chain_id: chainId, gas_limit: gasLimit } = given.transaction;
  if (chainId !== env.chainId) {
    throw new CallError({
      code: 'transaction_rejected',
      reason: 'wrong_chain',
      message: `${path}: the transaction is for chain ${chainId}; this is chain ${env.chainId}`,
    });
  }
  gas.expect(gasLimit);
  return given;
}

function unsigned(transaction: Transaction, encoded?: Uint8Array): InputTransaction {
  const sender = addressName(transaction.sender);
  if (encoded === undefined) return { transaction, sender, isSigned: false, given: NO_INTERFACES };
  return { transaction, sender, encoded, isSigned: false, given: NO_INTERFACES };
}

function builtTransaction(args: TxBuildArgs, scene: InputContext, path: string): InputTransaction {
  const { state, env, gas, interfaces, abiOf } = scene;
  const given = new Map<string, ContractAbi>();
  const interfaceOf: InterfaceOfCall = ({ contract, idl }, at) => {
    if (idl !== undefined) {
      const abi = interfaces.compile(idl, `${at}.idl`);
      given.set(addressName(contract), abi);
      return abi;
    }
    if (state.account(addressName(contract)).contract === undefined)
      throw noContractAt(addressName(contract));
    return abiOf(contract);
  };
  const action = encodeAction(args.action, interfaceOf, path);
  const sender = addressName(args.sender);
  const record = state.account(sender);
  const maxGas = env.gasLimit < gas.limit ? env.gasLimit : BigInt(gas.limit);
  const transaction = fillTransaction(args, action, {
    chainId: env.chainId,
    baseFee: env.baseFee,
    balance: record.balance,
    nonce: nextNonce(record, args.lane ?? 0),
    defaultGas: maxGas,
    maxGas,
  });
  // A transaction that the sender cannot pay for runs without fees, so its gas limit need not be lowered.
  const isPoor = args.gas_limit === undefined && transaction.gas_limit < defaultGasLimit(action);
  return {
    transaction: isPoor ? { ...transaction, gas_limit: maxGas } : transaction,
    sender,
    isSigned: false,
    given,
  };
}

function expectDecoded<T>(encoded: Uint8Array, path: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof BorshError)) throw error;
    const got = `${encoded.length} bytes that are neither: ${error.message}`;
    throw invalidParams(path, 'borsh(Transaction) or borsh(SignedTransaction)', got);
  }
}
