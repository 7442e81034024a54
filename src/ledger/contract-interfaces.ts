import { LRUCache } from 'lru-cache';
import type { Crypto } from '../crypto/crypto.js';
import { AbiError } from '../idl/abi/abi-context.js';
import { type ContractAbi, compileContract } from '../idl/abi/contract-abi.js';
import { compileIdl } from '../idl/compiler/compile.js';
import { IdlError } from '../idl/compiler/diagnostics.js';
import { toHex } from '../idl/hex.js';
import { readAt, readRawAt, StateUnavailableError, valueOfRaw } from '../storage/state.js';
import type { StoreReader } from '../storage/store.js';
import { ledger } from './codecs.js';
import { forkedRawAt, storedBlob } from './forked-state.js';
import { accountKey } from './state-keys.js';

/** Maximum number of cached compiled interfaces. */
const MAX_COMPILED = 128;
/** Maximum number of cached interface hashes, one per contract and height. */
const MAX_KNOWN = 4_096;

/**
 * Compiled contract interfaces, each text compiled once. One instance per thread.
 *
 * A text on chain may be anything: one that does not compile, or does not declare exactly one contract, counts as
 * missing.
 */
export class ContractInterfaces {
  readonly #store: StoreReader;
  readonly #crypto: Pick<Crypto, 'sha256'>;
  /** By sha256 of the text; undefined for invalid texts. */
  readonly #compiled = new LRUCache<string, Kept<ContractAbi | undefined>>({ max: MAX_COMPILED });
  /** By contract and height: the code and interface at a committed height never change. */
  readonly #known = new LRUCache<string, Kept<Uint8Array | undefined>>({ max: MAX_KNOWN });

  constructor(store: StoreReader, crypto: Pick<Crypto, 'sha256'>) {
    this.#store = store;
    this.#crypto = crypto;
  }

  /**
   * A contract's interface at the end of a committed block.
   * @param contract 20 bytes
   * @returns undefined if there was none, or if that height's state is pruned and the contract may since have been
   *   upgraded
   */
  at(contract: Uint8Array, height: bigint): ContractAbi | undefined {
    const name = `${toHex(contract)}/${height}`;
    const hash = find(this.#known, name, () => this.#hashAt(contract, height));
    return hash === undefined ? undefined : this.stored(hash);
  }

  /** The interface stored in column `idl` under a hash, 32 bytes. */
  stored(hash: Uint8Array): ContractAbi | undefined {
    return find(this.#compiled, toHex(hash), () => {
      const text = storedBlob(this.#store, 'idl', hash);
      return text === undefined ? undefined : this.#compileAny(new TextDecoder().decode(text));
    });
  }

  /** The interface of a text carried by a transaction; undefined if invalid. */
  lenient(text: string): ContractAbi | undefined {
    return find(this.#compiled, this.#hashOf(text), () => this.#compileAny(text));
  }

  /**
   * The interface of a text given by a caller.
   * @throws IdlError listing everything wrong with the text
   * @throws AbiError if it does not declare exactly one contract
   */
  strict(text: string): ContractAbi {
    const known = find(this.#compiled, this.#hashOf(text), () => this.#compileAny(text));
    return known ?? this.#compile(text);
  }

  #hashOf(text: string): string {
    return toHex(this.#crypto.sha256(new TextEncoder().encode(text)));
  }

  #compileAny(text: string): ContractAbi | undefined {
    try {
      return this.#compile(text);
    } catch (error) {
      if (error instanceof IdlError || error instanceof AbiError) return undefined;
      throw error;
    }
  }

  #compile(text: string): ContractAbi {
    const { manifest } = compileIdl([{ name: 'contract.idl', text }]);
    return compileContract(manifest, (data) => this.#crypto.sha256(data));
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

const MAX_HEIGHT = (1n << 64n) - 1n;

function recordOf(account: Uint8Array | undefined) {
  return account === undefined ? undefined : ledger.AccountRecord.decode(account).contract;
}

/** Wraps a value that may be undefined, which the cache cannot hold. */
interface Kept<V> {
  readonly value: V;
}

/** The cached value of a name, computed on a miss. */
function find<V>(cache: LRUCache<string, Kept<V>>, name: string, make: () => V): V {
  const known = cache.get(name);
  if (known !== undefined) return known.value;
  const value = make();
  cache.set(name, { value });
  return value;
}
