import { Hash } from "heddle";
import { sha256 as hostSha256 } from "heddle/host";
import { ComputeInterface, fail } from "../generated/compute";
import { Sha256 } from "./sha256";

const MOST_SIEVED: u32 = 4_000_000;
const MOST_ROWS: u32 = 256;
const GOLDEN_RATIO: u64 = 0x9e3779b97f4a7c15;

/** Implements compute.idl. */
export class Compute extends ComputeInterface {
  count(iterations: u64): u64 {
    let x: u64 = 1;
    for (let i: u64 = 0; i < iterations; i++) x = x * 31 + i;
    return x;
  }

  sieve(limit: u32): u32 {
    if (limit > MOST_SIEVED) fail.TooLarge(limit, MOST_SIEVED);
    if (limit < 2) return 0;
    // One byte for each odd number from 3 on: 1 if composite.
    const size = (limit - 1) >> 1;
    const composite = heap.alloc(size);
    let primes: u32 = 1;
    for (let i: u32 = 0; i < size; i++) {
      if (load<u8>(composite + i) != 0) continue;
      primes++;
      const prime = 2 * i + 3;
      for (let j: u64 = ((<u64>prime * prime - 3) >> 1); j < size; j += prime) {
        store<u8>(composite + <usize>j, 1);
      }
    }
    return primes;
  }

  sha256_chain(seed: Hash, rounds: u32): Hash {
    const digest = new Hash();
    const at = changetype<usize>(digest);
    memory.copy(at, changetype<usize>(seed), 32);
    for (let i: u32 = 0; i < rounds; i++) hostSha256(at, 32, at);
    return digest;
  }

  sha256_chain_in_wasm(seed: Hash, rounds: u32): Hash {
    const digest = new Hash();
    const at = changetype<usize>(digest);
    memory.copy(at, changetype<usize>(seed), 32);
    const sha256 = new Sha256();
    for (let i: u32 = 0; i < rounds; i++) sha256.hash32(at);
    return digest;
  }

  mix_chain(seed: u64, rounds: u32): u64 {
    let x = seed;
    for (let i: u32 = 0; i < rounds; i++) x = mix(x + GOLDEN_RATIO);
    return x;
  }

  matrix_product(size: u32, seed: u64): u64 {
    if (size > MOST_ROWS) fail.TooLarge(size, MOST_ROWS);
    const bytes = (size * size) << 3;
    const left = heap.alloc(bytes);
    const right = heap.alloc(bytes);
    let x = seed;
    for (let at: u32 = 0; at < bytes; at += 8) {
      x = mix(x + GOLDEN_RATIO);
      store<u64>(left + at, x);
    }
    for (let at: u32 = 0; at < bytes; at += 8) {
      x = mix(x + GOLDEN_RATIO);
      store<u64>(right + at, x);
    }
    const stride = size << 3;
    let sum: u64 = 0;
    for (let row: u32 = 0; row < bytes; row += stride) {
      for (let column: u32 = 0; column < stride; column += 8) {
        let a = left + row;
        let b = right + column;
        const end = a + stride;
        let product: u64 = 0;
        while (a < end) {
          product += load<u64>(a) * load<u64>(b);
          a += 8;
          b += stride;
        }
        sum += product;
      }
    }
    return sum;
  }
}

// @ts-ignore: decorator
@inline
function mix(x: u64): u64 {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}
