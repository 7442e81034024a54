import { writeBe64 } from '../../storage/big-endian.js';

/** A key of column `tree`: a kind and two numbers, in this order. */
export function numbersKey(kind: number, first: bigint, second: bigint): Uint8Array {
  const key = new Uint8Array(17);
  key[0] = kind;
  writeBe64(key, 1, first);
  writeBe64(key, 9, second);
  return key;
}
