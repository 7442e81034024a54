// The messages that validators sign, from the consensus design page alone, checked by one BLS library at a time.
import { createRequire } from 'node:module';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { ascii, concat } from './bytes.js';

const TAG = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

function le64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

/** "heddle/" ‖ kind ‖ "/1" ‖ chain ‖ epoch ‖ view ‖ parent view ‖ block hash. */
export function blockVote(
  kind: 'notarize' | 'finalize',
  numbers: readonly [chain: bigint, epoch: bigint, view: bigint, parentView: bigint],
  blockHash: Uint8Array,
): Uint8Array {
  return concat(ascii(`heddle/${kind}/1`), ...numbers.map(le64), blockHash);
}

export function nullifyVote(numbers: readonly [chain: bigint, epoch: bigint, view: bigint]): Uint8Array {
  return concat(ascii('heddle/nullify/1'), ...numbers.map(le64));
}

/** The message whose signature is the key of a height. */
export function sealIdentityOf(chain: bigint, height: bigint): Uint8Array {
  return concat(ascii('heddle/seal/1'), le64(chain), le64(height));
}

/** True if the signature is valid by `@noble/curves` alone. */
export function holdsByNoble(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  const { longSignatures } = bls12_381;
  return longSignatures.verify(signature, longSignatures.hash(message, TAG), key);
}

interface Blst {
  readonly PublicKey: { fromBytes(bytes: Uint8Array, check: boolean): object };
  readonly Signature: { fromBytes(bytes: Uint8Array, check: boolean, refuseInfinity: boolean): object };
  verify(message: Uint8Array, key: object, signature: object): boolean;
}

/** True if the signature is valid by blst alone; undefined where the blst binary does not load. */
export function holdsByBlst(
  signature: Uint8Array,
  message: Uint8Array,
  key: Uint8Array,
): boolean | undefined {
  let blst: Blst;
  try {
    blst = createRequire(import.meta.url)('@chainsafe/blst') as Blst;
  } catch {
    return undefined;
  }
  const [point, signed] = [
    blst.PublicKey.fromBytes(key, true),
    blst.Signature.fromBytes(signature, true, true),
  ];
  return blst.verify(message, point, signed);
}
