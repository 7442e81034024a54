/**
 * Cost of the hash functions. Floors: `@noble/hashes`, which is pure JavaScript, and node:crypto where it has the
 * function. Keccak and BLAKE3 are the node's own WebAssembly.
 */
import { createHash } from 'node:crypto';
import { blake3 } from '@noble/hashes/blake3.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { loadBls } from '../../src/crypto/load-bls.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { createHostCrypto } from '../../src/vm/host-crypto.js';
import { measurePairs, type PairedTask } from './paired-tasks.js';

const crypto = await loadCrypto('auto');
const host = createHostCrypto(crypto, await loadBls('auto'));
const nodeSha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();

const messages = [32, 200, 1_000].map((length) => new Uint8Array(length).fill(7));
const ofMessages: readonly PairedTask[] = messages.flatMap((message) => [
  {
    name: `sha256 of ${message.length} bytes`,
    run: () => crypto.sha256(message),
    floors: [
      { name: 'createHash', run: () => nodeSha256(message) },
      { name: '@noble', run: () => sha256(message) },
    ],
  },
  {
    name: `keccak256 of ${message.length} bytes`,
    run: () => crypto.keccak256(message),
    floors: [{ name: '@noble', run: () => keccak_256(message) }],
  },
  {
    name: `blake3 of ${message.length} bytes`,
    run: () => host.blake3(message),
    floors: [{ name: '@noble', run: () => blake3(message) }],
  },
]);
const ofPairs: readonly PairedTask[] = [1, 16, 256, 4_096].map((pairs) => {
  const input = new Uint8Array(64 * pairs).fill(7);
  const each = Array.from({ length: pairs }, (_, place) => input.subarray(64 * place, 64 * (place + 1)));
  return {
    name: `sha256 of a pair of hashes, ${pairs} at once`,
    operations: pairs,
    run: () => crypto.sha256Pairs(input),
    floors: [
      {
        name: 'node:crypto, one by one',
        operations: pairs,
        run: () => {
          for (const pair of each) crypto.sha256(pair);
        },
      },
    ],
  };
});

await measurePairs('hashes', 'ns', [...ofMessages, ...ofPairs]);
