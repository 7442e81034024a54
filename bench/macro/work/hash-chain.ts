import { createHash } from 'node:crypto';
import { blake3 } from '@noble/hashes/blake3.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { assemble } from '../../../test/support/contracts/wasm-assembler.js';

export const HASHES = 1_000;
export const SEED: Uint8Array = new Uint8Array(32).fill(7);

export type HashName = 'blake3' | 'keccak256' | 'sha256';

const HASH: Readonly<Record<HashName, (data: Uint8Array) => Uint8Array>> = {
  blake3,
  keccak256: keccak_256,
  sha256: (data) => createHash('sha256').update(data).digest(),
};

/** The last of {@link HASHES} hashes, each of the one before, beginning with {@link SEED}. */
export function lastOfChain(name: HashName): Uint8Array {
  let digest = SEED;
  for (let i = 0; i < HASHES; i++) digest = HASH[name](digest);
  return digest;
}

/** Code of such a chain by the host's function. Input: a seed of 32 bytes, and the number of rounds as a u32. */
export function hashChainCode(name: 'blake3' | 'keccak256'): Uint8Array {
  const code = `i32.const 0; i32.const 0; i32.const 36; call input_read; drop
    i32.const 32; i32.load; local.set 0
    loop
      i32.const 0; i32.const 32; i32.const 0; call ${name}
      local.get 0; i32.const 1; i32.sub; local.tee 0; br_if 0
    end
    i32.const 0; i32.const 32; call set_output; i32.const 0`;
  return assemble({
    imports: ['input_read', 'set_output', name],
    memory: [1, 1],
    functions: [{ name: 'invoke', type: '>i', locals: 'i', code }],
  });
}
