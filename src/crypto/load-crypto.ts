import { keccak_256 } from '@noble/hashes/sha3.js';
import { nodeEd25519 } from '../../native-free/crypto/ed25519.js';
import { nobleSecp256k1 } from '../../native-free/crypto/secp256k1.js';
import { nodeSha256Pairs } from '../../native-free/crypto/sha256-pairs.js';
import type { NativeMode, NativeReport } from '../config/native-mode.js';
import type { Crypto } from './crypto.js';
import { CryptoError } from './crypto-error.js';
import { loadHashtreePairs } from './native/hashtree-pairs.js';
import { loadLibsecp256k1 } from './native/libsecp256k1.js';
import { loadSodiumEd25519 } from './native/sodium-ed25519.js';
import { checkEd25519, checkSecp256k1, checkSha256Pairs } from './self-check.js';
import { sha256 } from './sha256.js';
import { StrictEd25519 } from './strict-ed25519.js';
import { StrictSecp256k1 } from './strict-secp256k1.js';

/** One primitive that has a native implementation and a twin. */
interface Part<T> {
  readonly name: string;
  readonly nativeName: string;
  readonly loadNative: () => T;
  readonly twinName: string;
  readonly twin: T;
  /** @throws CryptoError `implementation_refused` where the implementation does not do what the rules want */
  readonly check: (implementation: T) => void;
}

/**
 * The node's cryptographic primitives. Each chosen implementation proves itself on a few known answers first, among
 * them those where libraries differ, so that an upgraded library cannot silently change what the chain accepts.
 * @param report told once per part which implementation serves
 * @throws CryptoError `native_unavailable` in mode `require` where a native part does not load,
 * `implementation_refused` where an implementation fails its check and no other may take its place
 */
export async function loadCrypto(mode: NativeMode, report?: NativeReport): Promise<Crypto> {
  const ed25519 = choose(
    {
      name: 'ed25519',
      nativeName: 'sodium-native',
      loadNative: loadSodiumEd25519,
      twinName: 'node:crypto',
      twin: nodeEd25519,
      check: (backend) => checkEd25519(new StrictEd25519(backend)),
    },
    mode,
    report,
  );
  const secp256k1 = choose(
    {
      name: 'secp256k1',
      nativeName: 'secp256k1 (libsecp256k1)',
      loadNative: loadLibsecp256k1,
      twinName: '@noble/curves',
      twin: nobleSecp256k1,
      check: (backend) => checkSecp256k1(new StrictSecp256k1(backend)),
    },
    mode,
    report,
  );
  const pairs = choose(
    {
      name: 'sha256 pairs',
      nativeName: '@chainsafe/hashtree',
      loadNative: loadHashtreePairs,
      twinName: 'node:crypto',
      twin: nodeSha256Pairs,
      check: checkSha256Pairs,
    },
    mode,
    report,
  );
  return {
    sha256,
    sha256Pairs(input) {
      if (input.length % 64 !== 0) {
        throw new CryptoError(
          'invalid_length',
          `sha256Pairs: expected a multiple of 64 bytes, got ${input.length}`,
        );
      }
      return pairs(input);
    },
    keccak256: (data) => keccak_256(data),
    ed25519: new StrictEd25519(ed25519),
    secp256k1: new StrictSecp256k1(secp256k1),
  };
}

function choose<T>(part: Part<T>, mode: NativeMode, report: NativeReport | undefined): T {
  if (mode === 'off') return takeTwin(part, report, 'native parts are switched off');
  let native: T;
  try {
    native = part.loadNative();
    part.check(native);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    if (mode === 'auto') return takeTwin(part, report, reason);
    throw new CryptoError(
      error instanceof CryptoError ? error.code : 'native_unavailable',
      `${part.name}: the native implementation ${part.nativeName} is required and cannot serve: ${reason}`,
      { cause: error },
    );
  }
  report?.({ part: part.name, implementation: part.nativeName, native: true });
  return native;
}

function takeTwin<T>(part: Part<T>, report: NativeReport | undefined, reason: string): T {
  part.check(part.twin);
  report?.({ part: part.name, implementation: part.twinName, native: false, reason });
  return part.twin;
}
