import type { Action } from '../generated/ledger.js';
import type { BlockRef, DecodedEvent, Log, Receipt } from '../generated/node-rpc-v1.js';
import type { ContractAbi } from '../idl/abi/contract-abi.js';
import type { TextOrBytes } from '../idl/codecs/text-json-writer.js';
import type { JsonValue } from '../idl/json-value.js';
import { decodeEvent, tryDecode } from '../ledger/contract-decoding.js';
import { type AddressLike, addressBytes } from './address-text.js';
import { cached } from './cached.js';
import { CallFailedError } from './call-failed-error.js';
import { ClientError } from './client-error.js';
import { type NewCode, upgradeAction } from './contract-actions.js';
import {
  type ContractEvent,
  type ContractWatchOptions,
  type DecodeLog,
  decodeToJson,
} from './contract-events.js';
import { type ContractArguments, encodeCall, parseInterface } from './contract-interface.js';
import { eventTopics } from './event-filter.js';
import type { EventWatch, OnEvent } from './event-watch.js';
import { LogFeed } from './log-feed.js';
import type { ReadClient } from './read-client.js';
import type { OpenedTransaction, SealedTransaction, SealOptions } from './seal-options.js';
import type { IncludedTransaction, SendOptions } from './send-options.js';

/** The part of a `Sender` used by contracts. */
interface ActionSender {
  send(
    action: Action,
    options: SendOptions & { readonly wait: 'included' | 'finalized' },
  ): Promise<IncludedTransaction>;
  seal(action: Action, options: SealOptions): Promise<SealedTransaction>;
}

export interface ContractOptions {
  /** The contract's interface text; default: the one stored on chain. */
  readonly idl?: string;
  /** Default sender of the contract's calls. */
  readonly sender?: ActionSender;
}

interface CalledWith {
  /** Overrides the contract's default sender. */
  readonly sender?: ActionSender;
  /** Native balance to send with the call; default 0. */
  readonly value?: bigint;
}

export interface ContractCallOptions extends SendOptions, CalledWith {
  /** Event to wait for; default `included`. */
  readonly wait?: 'included' | 'finalized';
}

export interface ContractSealOptions extends SealOptions, CalledWith {}

export interface ContractViewOptions {
  /** State to read; default latest. */
  readonly at?: TextOrBytes<BlockRef>;
  /** Caller as seen by the contract; default the zero address. */
  readonly caller?: AddressLike;
  readonly gasLimit?: bigint;
}

export interface UpgradeOptions extends SendOptions, NewCode {
  /** Event to wait for; default `included`. */
  readonly wait?: 'included' | 'finalized';
  readonly sender?: ActionSender;
}

/** A successful deployment. */
export interface Deployment extends IncludedTransaction {
  readonly contract: Contract;
}

/**
 * A contract on the chain, called by the names in its interface. Created by `client.contract`, `contractAt` or
 * `sender.deploy`.
 */
export class Contract {
  /** 20 bytes. */
  readonly address: Uint8Array;
  readonly #client: ReadClient;
  readonly #sender: ActionSender | undefined;
  readonly #abi: () => Promise<ContractAbi>;

  constructor(client: ReadClient, address: AddressLike, { idl, sender }: ContractOptions) {
    this.address = addressBytes(address, 'address');
    this.#client = client;
    this.#sender = sender;
    const given = idl === undefined ? undefined : parseInterface(idl);
    this.#abi = cached(async () => given ?? this.#readInterface());
  }

  /**
   * The contract's interface: the one given in the options, or else read once from the chain.
   * @throws ClientError `bad_interface` if the contract has no interface; RpcCallError `not_found` if there is no
   *   contract
   */
  abi(): Promise<ContractAbi> {
    return this.#abi();
  }

  /**
   * Calls a method in a transaction and waits until it is included, or as specified by `wait`.
   * @returns the transaction with its receipt, which holds status, result (`decoded`) and events; a call that fails in its
   *   block does not throw
   * @throws CallFailedError if the call would fail (see `preflight`); ClientError `bad_argument` naming the argument that
   *   does not fit the interface; RpcCallError if the node rejects it
   *
   * @example
   * const { receipt } = await token.call('transfer', { to: bob.address, amount: 250n });
   */
  async call(
    method: string,
    args?: ContractArguments,
    options: ContractCallOptions = {},
  ): Promise<IncludedTransaction> {
    return this.callEncoded(encodeCall(await this.abi(), method, args), options);
  }

  /** Like {@link call}, with encoded input. */
  async callEncoded(input: Uint8Array, options: ContractCallOptions = {}): Promise<IncludedTransaction> {
    const { sender, value = 0n, wait = 'included', preflight = true, ...send } = options;
    const action = { type: 'call', value: { contract: this.address, input, value } } as const;
    try {
      return await senderOf(sender ?? this.#sender).send(action, { ...send, wait, preflight });
    } catch (error) {
      if (!(error instanceof CallFailedError) || error.simulation === undefined) throw error;
      const { status, simulation } = error;
      throw new CallFailedError(await this.#nameOf(input), status, { simulation });
    }
  }

  /**
   * The action of a call, for `sender.simulate` and `sender.send`.
   * @throws ClientError `bad_argument` naming the argument that does not fit the interface
   *
   * @example
   * const action = await token.action('transfer', { to: bob.address, amount: 250n });
   * const { status, logs } = await alice.simulate(action);
   */
  async action(method: string, args?: ContractArguments, value = 0n): Promise<Action> {
    const input = encodeCall(await this.abi(), method, args);
    return { type: 'call', value: { contract: this.address, input, value } };
  }

  /**
   * Calls a method in a sealed transaction: the call is unreadable until its position is fixed. Waits as specified by
   * `wait`; by default until it is opened.
   * @throws the same errors as {@link call}
   *
   * @example
   * const { receipt } = await token.seal('transfer', { to: bob.address, amount: 250n });
   */
  async seal(
    method: string,
    args: ContractArguments | undefined,
    options: ContractSealOptions & { readonly wait: 'none' | 'included' },
  ): Promise<SealedTransaction>;
  async seal(
    method: string,
    args?: ContractArguments,
    options?: ContractSealOptions & { readonly wait?: 'opened' | 'finalized' },
  ): Promise<OpenedTransaction>;
  async seal(
    method: string,
    args?: ContractArguments,
    options: ContractSealOptions = {},
  ): Promise<SealedTransaction> {
    return this.sealEncoded(encodeCall(await this.abi(), method, args), options);
  }

  /** Like {@link seal}, with encoded input. */
  sealEncoded(
    input: Uint8Array,
    { sender, value = 0n, wait = 'opened', ...options }: ContractSealOptions = {},
  ): Promise<SealedTransaction> {
    const action = { type: 'call', value: { contract: this.address, input, value } } as const;
    return senderOf(sender ?? this.#sender).seal(action, { ...options, wait });
  }

  /**
   * Runs a read-only call without a transaction; its writes are discarded.
   * @returns the result; null if the function returns nothing
   * @throws CallFailedError if the call fails; ClientError `bad_argument`
   *
   * @example
   * const balance = await token.view('balance_of', { owner: bob.address });
   */
  async view(
    method: string,
    args?: ContractArguments,
    options: ContractViewOptions = {},
  ): Promise<JsonValue> {
    const abi = await this.abi();
    const output = await this.viewEncoded(method, encodeCall(abi, method, args), options);
    return abi.function(method).decodeResult(output);
  }

  /** Like {@link view}, with encoded input and output. @param method used only for errors */
  async viewEncoded(
    method: string,
    input: Uint8Array,
    options: ContractViewOptions = {},
  ): Promise<Uint8Array> {
    const { at, caller, gasLimit } = options;
    const { status, output } = await this.#client.view_call({
      contract: this.address,
      input,
      ...(at !== undefined && { at }),
      ...(caller !== undefined && { caller: addressBytes(caller, 'caller') }),
      ...(gasLimit !== undefined && { gas_limit: gasLimit }),
    });
    if (status.type !== 'success') {
      throw new CallFailedError(`${(await this.abi()).name}.${method}`, status);
    }
    return output;
  }

  /**
   * Replaces the contract's code, or announces the upgrade if the contract has a timelock.
   * @returns the transaction with its receipt, which holds the status; an upgrade that fails in its block does not
   *   throw
   * @throws CallFailedError if the upgrade would fail (see `preflight`); ClientError; RpcCallError
   *
   * @example
   * const { receipt } = await token.upgrade({ code, idl, abiVersion: 2 });
   */
  upgrade(options: UpgradeOptions): Promise<IncludedTransaction> {
    const { sender, wait = 'included', preflight = true } = options;
    const action = upgradeAction(this.address, options);
    return senderOf(sender ?? this.#sender).send(action, { ...options, wait, preflight });
  }

  /**
   * The contract's events in a receipt, in order. Events that its interface does not declare are skipped.
   *
   * @example
   * const { receipt } = await token.call('transfer', { to: bob.address, amount: 1n });
   * (await token.events(receipt)).map(({ name }) => name).join(); // 'Transfer'
   */
  async events(receipt: Receipt): Promise<readonly DecodedEvent[]> {
    const abi = await this.abi();
    return this.logsIn(receipt).flatMap((log) => log.event ?? decodeEvent(abi, log) ?? []);
  }

  /**
   * Reports one of the contract's events as they come, each once and in order: to `onEvent`, or to a `for await` loop.
   * Uses a WebSocket if there is one, and otherwise polls. Continues after lost connections. Logs that do not have the
   * event's declared form are skipped.
   * @returns the watch; it ends with a ClientError `bad_argument` if the interface has no such event or indexed field
   * @throws ClientError `bad_argument`
   *
   * @example
   * await token.call('transfer', { to: bob.address, amount: 1n });
   * for await (const { args, log } of token.watch('Transfer', { filter: { to: bob.address }, fromHeight: 0n })) {
   *   console.log(args.amount, log.height);
   *   break;
   * }
   */
  watch(
    event: string,
    options: ContractWatchOptions = {},
    onEvent?: OnEvent<ContractEvent>,
  ): EventWatch<ContractEvent> {
    return this.watchDecoded(decodeToJson, event, options, onEvent);
  }

  /** Like {@link watch}, with another decoder. */
  watchDecoded<T>(
    decode: DecodeLog<T>,
    event: string,
    options: ContractWatchOptions,
    onEvent?: OnEvent<T>,
  ): EventWatch<T> {
    const feed = async () => {
      const abi = await this.abi();
      const filter = { contract: this.address, topics: eventTopics(abi, event, options.filter) };
      return new LogFeed(this.#client, filter, options.fromHeight, (log) =>
        tryDecode(() => decode(abi, log)),
      );
    };
    return this.#client.watchFeed(feed, options, onEvent);
  }

  /** The contract's logs in a receipt, in order. */
  logsIn({ logs }: Receipt): readonly Log[] {
    return logs.filter(({ contract }) => contract.every((byte, i) => byte === this.address[i]));
  }

  /** The called function's name, for messages. */
  async #nameOf(input: Uint8Array): Promise<string> {
    // A call that was encoded elsewhere needs no interface.
    const abi = await this.abi().catch(() => undefined);
    const called = abi?.functionOf(input);
    return abi === undefined || called === undefined ? 'the call' : `${abi.name}.${called.name}`;
  }

  async #readInterface(): Promise<ContractAbi> {
    const { idl } = await this.#client.contract_idl({ address: this.address });
    if (idl !== undefined) return parseInterface(idl);
    throw new ClientError('bad_interface', 'the contract has no interface on chain: give its idl');
  }
}

function senderOf(sender: ActionSender | undefined): ActionSender {
  if (sender !== undefined) return sender;
  throw new ClientError('bad_argument', 'no sender: give one to the contract or to the call');
}
