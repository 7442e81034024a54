import type {
  DevAccount,
  DevBlock,
  DevSetCodeArgs,
  DevStatePage,
  DevV1Methods,
} from '../generated/dev-v1.js';
import type { Action, VmType } from '../generated/ledger.js';
import { CodecState } from '../idl/codecs/codec.js';
import { parseAddress } from './address-text.js';
import { decoded, encoded, milliseconds } from './checked-arguments.js';
import { ClientError } from './client-error.js';
import { type ContractArguments, encodeCall, parseInterface } from './contract-interface.js';
import type { ClientParts, ReadClient } from './read-client.js';

type Method = keyof DevV1Methods;
type Result<M extends Method> = Promise<DevV1Methods[M]['result']>;

/** Time that a node may take for one block of a control, in milliseconds, beyond the client's timeout. */
const BLOCK_MS = 250;

/** Ignores unknown members, which newer nodes may add. */
const { jsonReader, jsonWriter } = new CodecState({ unknownMembers: 'ignore' });

/** Loaded with the first control, because few programs use them. */
const loadCodecs = () => import('../generated/dev-v1-codecs.js');

/** A call as another account. */
export interface ImpersonatedCall {
  /** Text or 20 bytes, as is `contract`. */
  readonly sender: string | Uint8Array;
  readonly contract: string | Uint8Array;
  /** A function of the contract's interface on the chain. */
  readonly method: string;
  readonly args?: ContractArguments;
  /** Amount that the sender pays; default 0. */
  readonly value?: bigint;
  readonly gasLimit?: bigint;
}

/**
 * The controls of a development chain: `client.dev`. They need the admin token of the node that seals the chain's blocks.
 * Each resolves once its last block is committed.
 *
 * @example
 * const client = connect('http://127.0.0.1:9545', { token: adminToken });
 * const { id } = await client.dev.snapshot();
 * await client.dev.setBalance(bob.address, 10n ** 18n);
 * await client.dev.increaseTime(86_400_000);
 * await client.dev.revert(id);
 */
export class DevControls {
  readonly #client: ReadClient;
  readonly #parts: ClientParts;

  constructor(client: ReadClient, parts: ClientParts) {
    this.#client = client;
    this.#parts = parts;
  }

  /**
   * Seals blocks at once, with the pool's transactions.
   * @param options.count at most 1,000; default 1
   * @param options.intervalMs time between the blocks; default: as the clock goes
   */
  mine(options: { readonly count?: number; readonly intervalMs?: number } = {}): Result<'dev_mine'> {
    const { count = 1, intervalMs } = options;
    const args = {
      count,
      ...(intervalMs === undefined ? {} : { interval_ms: milliseconds(intervalMs, 'intervalMs') }),
    };
    return this.#call('dev_mine', args, count * BLOCK_MS);
  }

  /** Sets the chain's clock, in milliseconds since 1970, and seals a block with that time. */
  setTime(timestampMs: number): Promise<DevBlock> {
    return this.#call('dev_setTime', { timestamp_ms: milliseconds(timestampMs, 'timestampMs') });
  }

  /** Advances the chain's clock by milliseconds and seals a block. */
  increaseTime(ms: number): Promise<DevBlock> {
    return this.#call('dev_increaseTime', { ms: milliseconds(ms, 'ms') });
  }

  /** @param address text or 20 bytes */
  async setBalance(address: string | Uint8Array, amount: bigint): Result<'dev_setBalance'> {
    return this.#call('dev_setBalance', { address: addressOf(address), amount });
  }

  /**
   * Sets a slot of a contract.
   * @param contract text or 20 bytes
   * @param slot 32 bytes
   * @param value undefined removes the slot
   */
  async setStorage(
    contract: string | Uint8Array,
    slot: Uint8Array,
    value: Uint8Array | undefined,
  ): Result<'dev_setStorage'> {
    const given = value === undefined ? {} : { value };
    return this.#call('dev_setStorage', { contract: addressOf(contract), slot, ...given });
  }

  /**
   * Puts a contract at an address without running its code, or replaces the code of the one there.
   * @param options.code undefined removes the contract
   */
  async setCode(
    address: string | Uint8Array,
    options: { readonly code?: Uint8Array; readonly idl?: string; readonly vm?: VmType },
  ): Result<'dev_setCode'> {
    const args: DevSetCodeArgs = { address: addressOf(address), ...options };
    return this.#call('dev_setCode', args);
  }

  /** Performs an action as another account. A failure of the action is a result. */
  async impersonate(
    sender: string | Uint8Array,
    action: Action,
    options: { readonly gasLimit?: bigint } = {},
  ): Result<'dev_impersonate'> {
    const { gasLimit } = options;
    const limit = gasLimit === undefined ? {} : { gas_limit: gasLimit };
    return this.#call('dev_impersonate', { sender: addressOf(sender), action, ...limit });
  }

  /** Calls a contract as another account, by the names in its interface. */
  async impersonateCall(call: ImpersonatedCall): Result<'dev_impersonate'> {
    const { sender, method, args, value = 0n, gasLimit } = call;
    const contract = addressOf(call.contract);
    const { idl } = await this.#client.contract_idl({ address: contract });
    if (idl === undefined)
      throw new ClientError('bad_argument', 'the contract has no interface on the chain');
    const input = encodeCall(parseInterface(idl), method, args);
    const action: Action = { type: 'call', value: { contract, input, value } };
    return this.impersonate(sender, action, gasLimit === undefined ? {} : { gasLimit });
  }

  /** Names the present state, for {@link revert}. */
  snapshot(): Result<'dev_snapshot'> {
    return this.#call('dev_snapshot', {});
  }

  /** Restores the balances, contracts, slots and deployment indexes of a snapshot. Heights and nonces never go back. */
  revert(id: bigint): Result<'dev_revert'> {
    return this.#call('dev_revert', { id }, 60_000);
  }

  /** Yields all accounts with their contracts and slots; a contract with many slots comes in several entries. */
  async *dumpState(): AsyncIterableIterator<DevAccount> {
    for await (const page of this.dumpPages()) yield* page.accounts;
  }

  /** Yields the pages of {@link dumpState}, which also have the time of the chain's clock. */
  async *dumpPages(): AsyncIterableIterator<DevStatePage> {
    let cursor: string | undefined;
    do {
      const page: Awaited<Result<'dev_dumpState'>> = await this.#call(
        'dev_dumpState',
        cursor === undefined ? {} : { cursor },
      );
      yield page;
      cursor = page.next_cursor;
    } while (cursor !== undefined);
  }

  /**
   * Sets the balances, contracts, slots and deployment indexes of accounts; all other state remains.
   * @param timestampMs the chain's clock goes on from this time, unless the last block is not earlier
   */
  loadState(accounts: readonly DevAccount[], timestampMs?: number): Result<'dev_loadState'> {
    const time = timestampMs === undefined ? {} : { timestamp_ms: milliseconds(timestampMs, 'timestampMs') };
    return this.#call('dev_loadState', { accounts: [...accounts], ...time }, 60_000);
  }

  /** @throws RpcCallError for an error response; ClientError if there is no valid response */
  async #call<M extends Method>(method: M, params: DevV1Methods[M]['params'], moreMs = 0): Result<M> {
    const { devV1Calls: calls } = await loadCodecs();
    const { caller, timeoutMs } = this.#parts;
    const codec = calls[method];
    const result = await caller.call({
      method,
      params: encoded(method, () => {
        jsonWriter.begin();
        return codec.writeParams(jsonWriter, params, 'params');
      }),
      timeoutMs: timeoutMs + moreMs,
      // A control may have arrived before its connection broke.
      repeatable: false,
      unbatched: true,
    });
    return decoded(method, () => {
      jsonReader.begin();
      return codec.readResult(jsonReader, result, 'result');
    });
  }
}

function addressOf(address: string | Uint8Array): Uint8Array {
  return typeof address === 'string' ? parseAddress(address) : address;
}
