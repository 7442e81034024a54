import { LRUCache } from 'lru-cache';
import { sameBytes } from '../base/same-bytes.js';
import type { Sha256 } from '../crypto/crypto.js';
import { AbiError, selectorKey } from '../idl/abi/abi-context.js';
import { type ContractAbi, compileContract } from '../idl/abi/contract-abi.js';
import { compileIdl } from '../idl/compiler/compile.js';
import { IdlError } from '../idl/compiler/diagnostics.js';
import { toHex } from '../idl/hex.js';
import { readAt, readRawAt, StateUnavailableError, valueOfRaw } from '../storage/state.js';
import type { StoreReader } from '../storage/store.js';
import { ledger } from './codecs.js';
import { MAX_HEIGHT } from './constants.js';
import { forkedRawAt, storedBlob } from './forked-state.js';
import { accountKey } from './state-keys.js';

/** Limit of the memory that compiled interfaces take, in bytes. */
const MAX_COMPILED_BYTES = 48 * 1024 * 1024;
/** Heap bytes per byte of text, all codecs built. `bench interfaces` measured at most 271. */
const HEAP_BYTES_PER_TEXT_BYTE = 280;
/** Limit of the memory that selectors and names take, in bytes. */
const MAX_SELECTOR_BYTES = 16 * 1024 * 1024;
/** Heap bytes of a selector and its name, besides the name's characters. */
const HEAP_BYTES_PER_SELECTOR = 64;
/** Maximum number of cached interface hashes, one per contract and height. */
const MAX_KNOWN = 4_096;

/** What listings need of an interface. Selectors are as {@link selectorKey} gives them. */
interface Selectors {
  /** Names of functions by selector. */
  readonly functions: ReadonlyMap<number, string>;
  readonly errors: ReadonlySet<number>;
  readonly token: TokenInterface | undefined;
}

/**
 * Compiled contract interfaces, one instance per thread. Those on chain are kept, by size; a caller's text is
 * compiled each time. A text on chain may be anything: unless it declares exactly one contract, it counts as missing.
 */
export class ContractInterfaces {
  readonly #store: StoreReader;
  readonly #crypto: Sha256;
  /** By hash; undefined for invalid texts. */
  readonly #compiled = new LRUCache<string, Kept<ContractAbi | undefined>>({ maxSize: MAX_COMPILED_BYTES });
  readonly #selectors = new LRUCache<string, Selectors>({
    maxSize: MAX_SELECTOR_BYTES,
    sizeCalculation: ({ functions, errors, token }) => {
      let size = HEAP_BYTES_PER_SELECTOR * (1 + errors.size);
      if (token !== undefined) size += 2 * HEAP_BYTES_PER_SELECTOR + token.name.length;
      for (const name of functions.values()) size += HEAP_BYTES_PER_SELECTOR + name.length;
      return size;
    },
  });
  /** By contract and height: the code and interface at a committed height never change. */
  readonly #known = new LRUCache<string, Kept<Uint8Array | undefined>>({ max: MAX_KNOWN });

  /** The last result of {@link stored}: a call shows events and arguments of one contract after another. */
  #lastStored: { readonly hash: Uint8Array; readonly value: ContractAbi } | undefined;

  #compiledBytes = 0;

  constructor(store: StoreReader, crypto: Sha256) {
    this.#store = store;
    this.#crypto = crypto;
  }

  /** Length of all texts compiled so far. */
  get compiledBytes(): number {
    return this.#compiledBytes;
  }

  /**
   * A contract's interface at the end of a committed block; undefined if there was none, or if that height's state is
   * pruned and the contract may since have been upgraded.
   */
  at(contract: Uint8Array, height: bigint): ContractAbi | undefined {
    const hash = this.#hash(contract, height);
    return hash === undefined ? undefined : this.stored(hash);
  }

  /** The name of the function that a call's input selects, if the interface of {@link at} declares it. */
  functionName(contract: Uint8Array, height: bigint, input: Uint8Array): string | undefined {
    return this.#selectorsAt(contract, height)?.functions.get(selectorKey(input));
  }

  /** The interface that {@link at} returns, if it declares the error that the data of a revert selects. */
  declaring(contract: Uint8Array, height: bigint, data: Uint8Array): ContractAbi | undefined {
    const isDeclared = this.#selectorsAt(contract, height)?.errors.has(selectorKey(data)) ?? false;
    return isDeclared ? this.at(contract, height) : undefined;
  }

  /** Describes the token whose interface {@link at} returns; undefined if it is not the interface of a token. */
  token(contract: Uint8Array, height: bigint): TokenInterface | undefined {
    return this.#selectorsAt(contract, height)?.token;
  }

  /** The interface stored in column `idl` under a hash, 32 bytes; undefined if invalid, or if it is not stored yet. */
  stored(hash: Uint8Array): ContractAbi | undefined {
    if (this.#lastStored !== undefined && sameBytes(this.#lastStored.hash, hash))
      return this.#lastStored.value;
    const value = this.#kept(toHex(hash), () => storedBlob(this.#store, 'idl', hash));
    if (value !== undefined) this.#lastStored = { hash: Uint8Array.from(hash), value };
    return value;
  }

  /** Returns true if {@link stored} needs no compiling for a hash. */
  keeps(hash: Uint8Array): boolean {
    return this.#compiled.has(toHex(hash));
  }

  /** The interface of a text that an included transaction carries; undefined if invalid. */
  included(text: string): ContractAbi | undefined {
    const bytes = new TextEncoder().encode(text);
    return this.#kept(toHex(this.#crypto.sha256(bytes)), () => bytes);
  }

  /** The interface of a text given by a caller; undefined if invalid. */
  lenient(text: string): ContractAbi | undefined {
    try {
      return this.strict(text);
    } catch (error) {
      if (error instanceof IdlError || error instanceof AbiError) return undefined;
      throw error;
    }
  }

  /**
   * The interface of a text given by a caller. @throws IdlError listing everything wrong with the text
   * @throws AbiError if it does not declare exactly one contract
   */
  strict(text: string): ContractAbi {
    this.#compiledBytes += text.length;
    const { manifest } = compileIdl([{ name: 'contract.idl', text }]);
    return compileContract(manifest, (data) => this.#crypto.sha256(data));
  }

  #kept(name: string, read: () => Uint8Array | undefined): ContractAbi | undefined {
    const known = this.#compiled.get(name);
    if (known !== undefined) return known.value;
    const text = read();
    // It may be stored later.
    if (text === undefined) return undefined;
    const value = this.#compile(text);
    this.#compiled.set(name, { value }, { size: 1 + text.length * HEAP_BYTES_PER_TEXT_BYTE });
    return value;
  }

  #compile(text: Uint8Array): ContractAbi | undefined {
    return this.lenient(new TextDecoder().decode(text));
  }

  /** Kept apart from the interfaces: listings of many contracts need no more, and it takes a fraction of the memory. */
  #selectorsAt(contract: Uint8Array, height: bigint): Selectors | undefined {
    const hash = this.#hash(contract, height);
    if (hash === undefined) return undefined;
    const name = toHex(hash);
    let selectors = this.#selectors.get(name);
    if (selectors === undefined) {
      const text = storedBlob(this.#store, 'idl', hash);
      if (text === undefined) return undefined;
      const kept = this.#compiled.get(name);
      const abi = kept === undefined ? this.#compile(text) : kept.value;
      selectors = {
        functions: new Map(
          [...(abi?.functions.values() ?? [])].map((each) => [selectorKey(each.selector), each.name]),
        ),
        errors: new Set([...(abi?.errors.values() ?? [])].map(({ selector }) => selectorKey(selector))),
        token: abi && tokenInterface(abi),
      };
      this.#selectors.set(name, selectors);
    }
    return selectors;
  }

  #hash(contract: Uint8Array, height: bigint): Uint8Array | undefined {
    const name = `${toHex(contract)}/${height}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known.value;
    const value = this.#hashAt(contract, height);
    this.#known.set(name, { value });
    return value;
  }

  #hashAt(contract: Uint8Array, height: bigint): Uint8Array | undefined {
    const key = accountKey(this.#crypto, contract);
    try {
      const raw =
        readRawAt(this.#store, key, height) ??
        forkedRawAt(this.#store, this.#crypto, { name: contract, key }, height, 'show');
      return recordOf(raw === undefined ? undefined : valueOfRaw(raw))?.idl_hash;
    } catch (error) {
      if (!(error instanceof StateUnavailableError)) throw error;
      // An immutable contract has had the same interface all along.
      const now = recordOf(readAt(this.#store, key, MAX_HEIGHT));
      return now?.upgrade_policy.type === 'immutable' ? now.idl_hash : undefined;
    }
  }
}

function recordOf(account: Uint8Array | undefined) {
  return account === undefined ? undefined : ledger.AccountRecord.decode(account).contract;
}

/** Wraps a value that may be undefined, which the cache cannot hold. */
interface Kept<V> {
  readonly value: V;
}

/** What a listing of tokens needs of a token's interface. */
interface TokenInterface {
  /** The contract's name, which signatures begin with. */
  readonly name: string;
  /** Topic 0 of `Transfer`, 32 bytes. */
  readonly transferTopic: Uint8Array;
}

/** A token of any name has the event `Transfer(address,address,u128)`, both addresses indexed. */
function tokenInterface({ name, events }: ContractAbi): TokenInterface | undefined {
  const transfer = events.get('Transfer');
  if (transfer?.signature !== `${name}.Transfer(address,address,u128)`) return undefined;
  const { fields, indexed, topic } = transfer;
  const isIndexed = indexed.length === 2 && indexed[0] === fields[0] && indexed[1] === fields[1];
  return isIndexed ? { name, transferTopic: topic } : undefined;
}
