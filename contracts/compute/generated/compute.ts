// Generated from compute.idl by `heddle contract build`. Do not edit.
import { Hash, Writer, call, view } from "heddle";

/** The errors. Each function ends the call; the caller gets the error with its fields. */
export namespace fail {
  /** The argument requires more memory than the contract has. */
  export function TooLarge(given: u32, most: u32): void {
    const $error = new Writer(12);
    $error.integer<u32>(0xeda9debb);
    $error.integer<u32>(given);
    $error.integer<u32>(most);
    $error.revert();
  }
}

/** Benchmark workloads for loops, memory, integers and host functions. Stores nothing. */
export abstract class ComputeInterface {
  /**
   * Iterates x = x · 31 + i modulo 2^64 for i from 0, starting with x = 1, and returns x.
   * A view: changes nothing.
   */
  abstract count(iterations: u64): u64;

  /**
   * Number of primes up to and including `limit`, by the sieve of Eratosthenes. `limit` is at most 4 000 000.
   * A view: changes nothing.
   */
  abstract sieve(limit: u32): u32;

  /**
   * Hashes the seed `rounds` times with the host's sha256.
   * A view: changes nothing.
   */
  abstract sha256_chain(seed: Hash, rounds: u32): Hash;

  /**
   * Like `sha256_chain`, with sha256 in the contract itself.
   * A view: changes nothing.
   */
  abstract sha256_chain_in_wasm(seed: Hash, rounds: u32): Hash;

  /**
   * Mixes the seed `rounds` times with the finalizer of splitmix64, adding the golden ratio before each round.
   * A view: changes nothing.
   */
  abstract mix_chain(seed: u64, rounds: u32): u64;

  /**
   * Multiplies two `size` × `size` matrices of 64-bit numbers and returns the sum of the product's entries modulo
   * 2^64. The steps of `mix_chain` generate the entries from the seed, row by row, left matrix first. `size` is at
   * most 256.
   * A view: changes nothing.
   */
  abstract matrix_product(size: u32, seed: u64): u64;
}
