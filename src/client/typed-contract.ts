import type { ExecStatus, Receipt } from '../generated/node-rpc-v1.js';
import { AbiError } from '../idl/abi/abi-context.js';
import type { ContractAbi } from '../idl/abi/contract-abi.js';
import { BorshError } from '../idl/codecs/codec-errors.js';
import { tryDecode } from '../ledger/contract-decoding.js';
import { ClientError } from './client-error.js';
import type { Contract, ContractCallOptions, ContractSealOptions, ContractViewOptions } from './contract.js';
import type { SealedTransaction } from './seal-options.js';
import type { IncludedTransaction } from './send-options.js';

/** What `heddle idl generate --contract` writes of a contract, for {@link TypedContract}. */
export interface ContractTypes {
  /** Methods by name. */
  readonly calls: object;
  readonly views: object;
  /** Fields by the event's name. */
  readonly events: object;
  /** Fields by the error's name. */
  readonly errors: object;
}

/** Arguments and result of a function in {@link ContractTypes}. */
type ArgumentsOf<F> = F extends { readonly args: infer A } ? A : never;
type ResultOf<F> = F extends { readonly result: infer R } ? R : never;

/** What follows a function's name: arguments, which may be left out where none is needed, and options. */
type Rest<F, O> =
  Record<never, never> extends ArgumentsOf<F>
    ? [args?: ArgumentsOf<F>, options?: O]
    : [args: ArgumentsOf<F>, options?: O];

/** One of several named records, such as the events of a contract. */
export type OneOf<T> = { [N in keyof T]: { readonly name: N; readonly args: T[N] } }[keyof T];

/** A call in a block. */
export interface TypedInclusion<R> extends IncludedTransaction {
  /** What the method returned; undefined where the call did not succeed or returned something else than declared. */
  readonly result: R | undefined;
}

/** A sealed call. */
export interface TypedSealedCall<R> extends SealedTransaction {
  /** What the method returned; undefined where it is not open, did not succeed or returned something else than declared. */
  readonly result: R | undefined;
}

/**
 * A contract whose methods, views, events and errors are typed: integers of 64 bits and more are `bigint`, bytes are
 * `Uint8Array`. Made by what `heddle idl generate --contract` writes.
 */
export class TypedContract<C extends ContractTypes> {
  /** The same contract, called by names that nobody checks before the call. */
  readonly untyped: Contract;

  constructor(untyped: Contract) {
    this.untyped = untyped;
  }

  /** 20 bytes. */
  get address(): Uint8Array {
    return this.untyped.address;
  }

  /**
   * Calls a method in a transaction and waits until that is in a block, or as `wait` says.
   * @returns a call that is in a block does not throw, whatever it came to: its receipt says how it ended
   * @throws ClientError `bad_argument`; RpcCallError where the node refuses it
   *
   * @example
   * const { receipt } = await token.call('transfer', { to: bob.address, amount: 250n });
   */
  async call<M extends keyof C['calls'] & string>(
    method: M,
    ...[args, options]: Rest<C['calls'][M], ContractCallOptions>
  ): Promise<TypedInclusion<ResultOf<C['calls'][M]>>> {
    const abi = await this.untyped.abi();
    const sent = await this.untyped.callEncoded(encode(abi, method, args), options);
    return { ...sent, result: resultOf(abi, method, sent.receipt) as ResultOf<C['calls'][M]> | undefined };
  }

  /**
   * Calls a method in a sealed transaction: nobody can read the call before its place is fixed. Waits as `wait` says; default until
   * it is opened.
   * @throws as {@link call}
   *
   * @example
   * const { result } = await token.seal('transfer', { to: bob.address, amount: 250n });
   */
  async seal<M extends keyof C['calls'] & string>(
    method: M,
    ...[args, options]: Rest<C['calls'][M], ContractSealOptions>
  ): Promise<TypedSealedCall<ResultOf<C['calls'][M]>>> {
    const abi = await this.untyped.abi();
    const sent = await this.untyped.sealEncoded(encode(abi, method, args), options);
    return { ...sent, result: resultOf(abi, method, sent.receipt) as ResultOf<C['calls'][M]> | undefined };
  }

  /**
   * Asks the contract without a transaction; whatever it writes is discarded.
   * @throws CallFailedError where it did not succeed; ClientError `bad_argument`, or `bad_answer` where the result is not of
   *   its declared type
   *
   * @example
   * const balance = await token.view('balance_of', { owner: bob.address });
   */
  async view<V extends keyof C['views'] & string>(
    view: V,
    ...[args, options]: Rest<C['views'][V], ContractViewOptions>
  ): Promise<ResultOf<C['views'][V]>> {
    const abi = await this.untyped.abi();
    const output = await this.untyped.viewEncoded(view, encode(abi, view, args), options);
    return decode(abi, view, output) as ResultOf<C['views'][V]>;
  }

  /** The contract's own events in a receipt, in order; those that are not of its interface are left out. */
  async events(receipt: Receipt): Promise<readonly OneOf<C['events']>[]> {
    const abi = await this.untyped.abi();
    return this.untyped
      .logsIn(receipt)
      .flatMap((log) => tryDecode(() => abi.decodeEventValues(log.topics, log.data)) ?? [])
      .map((event) => event as OneOf<C['events']>);
  }

  /** The contract's own error that a call reverted with; undefined where it ended otherwise. */
  async error(status: ExecStatus): Promise<OneOf<C['errors']> | undefined> {
    if (status.type !== 'reverted') return undefined;
    const { data } = status.value;
    const abi = await this.untyped.abi();
    return tryDecode(() => abi.decodeErrorValues(data)) as OneOf<C['errors']> | undefined;
  }
}

/** The types are generated from the interface that decodes. */
function resultOf(abi: ContractAbi, method: string, receipt: Receipt | undefined): unknown {
  if (receipt?.status.type !== 'success') return undefined;
  return tryDecode(() => abi.function(method).decodeValue(receipt.output));
}

function encode(abi: ContractAbi, name: string, args: unknown): Uint8Array {
  try {
    return abi.function(name).encodeValues(args ?? {});
  } catch (error) {
    if (!(error instanceof BorshError) && !(error instanceof AbiError)) throw error;
    const where = error instanceof BorshError ? `${abi.name}.${name}: ` : '';
    throw new ClientError('bad_argument', `${where}${error.message}`, { cause: error });
  }
}

function decode(abi: ContractAbi, name: string, output: Uint8Array): unknown {
  try {
    return abi.function(name).decodeValue(output);
  } catch (error) {
    if (!(error instanceof BorshError)) throw error;
    throw new ClientError('bad_answer', `${abi.name}.${name}: ${error.message}`, { cause: error });
  }
}
