import type { ContractRecord } from '../../generated/ledger.js';
import { AbiError } from '../../idl/abi/abi-context.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { IdlError } from '../../idl/compiler/diagnostics.js';
import { addressName } from '../../ledger/address-names.js';
import { MAX_IDL_BYTES } from '../../ledger/constants.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import { ColdContractError } from '../cold-contract-error.js';
import type { WorldState } from '../world-state.js';
import { expectEntries, invalidParams } from './call-error.js';

const NONE_GIVEN: ReadonlyMap<string, ContractAbi> = new Map();

/** The interfaces of contract records in the state, and of texts supplied by callers. One per thread. */
export class StateInterfaces {
  readonly #interfaces: ContractInterfaces;
  readonly #compilesOnDemand: boolean;

  /** @param compilesOnDemand whether look-ups may compile; otherwise only {@link stored} does */
  constructor(interfaces: ContractInterfaces, compilesOnDemand = true) {
    this.#interfaces = interfaces;
    this.#compilesOnDemand = compilesOnDemand;
  }

  stored({ idl_hash: hash }: ContractRecord): ContractAbi | undefined {
    return hash === undefined ? undefined : this.#interfaces.stored(hash);
  }

  /** Returns true if {@link stored} needs no compiling. */
  keeps({ idl_hash: hash }: ContractRecord): boolean {
    return hash === undefined || this.#interfaces.keeps(hash);
  }

  /**
   * Returns the lookup of interfaces in a state; the given ones, by address in hex, take precedence. The lookup throws a
   * ColdContractError if it may not compile.
   */
  lookupIn(
    state: WorldState,
    given: ReadonlyMap<string, ContractAbi> = NONE_GIVEN,
  ): (contract: Uint8Array) => ContractAbi | undefined {
    return (contract) => {
      const name = addressName(contract);
      const known = given.get(name);
      if (known !== undefined) return known;
      const { contract: record } = state.account(name);
      if (record === undefined) return undefined;
      if (!this.#compilesOnDemand && !this.keeps(record)) throw new ColdContractError(record);
      return this.stored(record);
    };
  }

  /** Compiles a text that a transaction adds to the chain, which may be invalid. */
  compileUnchecked(text: string): ContractAbi | undefined {
    return this.#interfaces.lenient(text);
  }

  /** Compiles a text supplied by a caller. @param path of the text, for errors @throws CallError */
  compile(text: string, path: string): ContractAbi {
    const bytes = Buffer.byteLength(text);
    expectEntries('idl_bytes', bytes, MAX_IDL_BYTES);
    try {
      return this.#interfaces.strict(text);
    } catch (error) {
      if (!(error instanceof IdlError) && !(error instanceof AbiError)) throw error;
      throw invalidParams(path, 'the interface of one contract', error.message);
    }
  }
}
