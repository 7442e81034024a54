// Generated from compute.idl by `heddle contract build`. Do not edit.
import { Hash, Writer, call, view } from "heddle";

/** The errors. Each function ends the call; the caller gets the error with its fields. */
export namespace fail {
  /** The argument is larger than the contract has memory for. */
  export function TooLarge(given: u32, most: u32): void {
    const $error = new Writer(12);
    $error.integer<u32>(0xeda9debb);
    $error.integer<u32>(given);
    $error.integer<u32>(most);
    $error.revert();
  }
}

/** Work for measuring: what the machine does with loops, memory, integers and host functions. Nothing is kept. */
export abstract class ComputeInterface {
  /**
   * Runs a loop so many times and returns what it added up: x = x · 31 + i, beginning with x = 1, over 64 bits.
   * A view: changes nothing.
   */
  abstract count(iterations: u64): u64;

  /**
   * How many primes there are up to and including `limit`, by the sieve of Eratosthenes. At most 4 000 000.
   * A view: changes nothing.
   */
  abstract sieve(limit: u32): u32;

  /**
   * The seed hashed so many times over with sha256, by the host.
   * A view: changes nothing.
   */
  abstract sha256_chain(seed: Hash, rounds: u32): Hash;

  /**
   * The same with sha256 worked out in the contract itself.
   * A view: changes nothing.
   */
  abstract sha256_chain_in_wasm(seed: Hash, rounds: u32): Hash;

  /**
   * The seed mixed so many times over by the finalizer of splitmix64, with the golden ratio added before each.
   * A view: changes nothing.
   */
  abstract mix_chain(seed: u64, rounds: u32): u64;

  /**
   * Multiplies two matrices of `size` × `size` numbers of 64 bits made from the seed by `mix_chain`'s steps, row by row,
   * first the left one, and returns the sum of the product's numbers, over 64 bits. At most 256.
   * A view: changes nothing.
   */
  abstract matrix_product(size: u32, seed: u64): u64;
}
