import { LRUCache } from 'lru-cache';
import type { Crypto } from '../crypto/crypto.js';
import { AbiError } from '../idl/abi/abi-context.js';
import { type ContractAbi, compileContract } from '../idl/abi/contract-abi.js';
import { compileIdl } from '../idl/compiler/compile.js';
import { IdlError } from '../idl/compiler/diagnostics.js';
import { toHex } from '../idl/hex.js';
import { readAt, StateUnavailableError } from '../storage/state.js';
import type { StoreReader } from '../storage/store.js';
import { ledger } from './codecs.js';
import { accountKey } from './state-keys.js';

/** Compiled interfaces that are kept. */
const MAX_COMPILED = 128;
/** Contracts at heights whose interface's hash is remembered. */
const MAX_KNOWN = 4_096;

/**
 * The interfaces of contracts, each text compiled once. One for each thread.
 *
 * A text on the chain may be anything: one that does not compile, or does not declare exactly one contract, counts as none.
 */
export class ContractInterfaces {
  readonly #store: StoreReader;
  readonly #crypto: Pick<Crypto, 'sha256'>;
  /** By sha256 of the text; undefined where it is no interface. */
  readonly #compiled = new LRUCache<string, Kept<ContractAbi | undefined>>({ max: MAX_COMPILED });
  /** By contract and height: neither code nor interface of a committed height ever changes. */
  readonly #known = new LRUCache<string, Kept<Uint8Array | undefined>>({ max: MAX_KNOWN });

  constructor(store: StoreReader, crypto: Pick<Crypto, 'sha256'>) {
    this.#store = store;
    this.#crypto = crypto;
  }

  /**
   * The interface that a contract had at the end of a committed block.
   * @param contract 20 bytes
   * @returns undefined where there was none, or where the state of that height is no longer kept and the contract's
   *   interface may have been another then
   */
  at(contract: Uint8Array, height: bigint): ContractAbi | undefined {
    const name = `${toHex(contract)}/${height}`;
    const hash = find(this.#known, name, () => this.#hashAt(contract, height));
    return hash === undefined ? undefined : this.stored(hash);
  }

  /** The interface of a text in column `idl`, by its hash, 32 bytes. */
  stored(hash: Uint8Array): ContractAbi | undefined {
    return find(this.#compiled, toHex(hash), () => {
      const text = this.#store.get('idl', hash);
      return text === undefined ? undefined : this.#compileAny(new TextDecoder().decode(text));
    });
  }

  /** The interface of a text that came with a transaction; undefined where it is none. */
  lenient(text: string): ContractAbi | undefined {
    return find(this.#compiled, this.#hashOf(text), () => this.#compileAny(text));
  }

  /**
   * The interface of a text that a caller gave.
   * @throws IdlError with everything that is wrong with the text
   * @throws AbiError where it does not declare exactly one contract
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
      return recordOf(readAt(this.#store, key, height))?.idl_hash;
    } catch (error) {
      if (!(error instanceof StateUnavailableError)) throw error;
      // What cannot be upgraded is what it always was.
      const now = recordOf(readAt(this.#store, key, MAX_HEIGHT));
      return now?.upgrade_policy.type === 'immutable' ? now.idl_hash : undefined;
    }
  }
}

const MAX_HEIGHT = (1n << 64n) - 1n;

function recordOf(account: Uint8Array | undefined) {
  return account === undefined ? undefined : ledger.AccountRecord.decode(account).contract;
}

/** A value that may be undefined, which the cache itself does not keep. */
interface Kept<V> {
  readonly value: V;
}

/** The value of a name, made where it is not there. */
function find<V>(cache: LRUCache<string, Kept<V>>, name: string, make: () => V): V {
  const known = cache.get(name);
  if (known !== undefined) return known.value;
  const value = make();
  cache.set(name, { value });
  return value;
}
