/** A byte string or a list: the items of Recursive Length Prefix encoding (Ethereum yellow paper, appendix B). */
export type RlpItem = Uint8Array | readonly RlpItem[];

export function encodeRlp(item: RlpItem): Uint8Array {
  if (item instanceof Uint8Array) {
    const [first] = item;
    if (item.length === 1 && first !== undefined && first < 0x80) return item;
    return Buffer.concat([prefix(item.length, 0x80), item]);
  }
  const body = Buffer.concat(item.map(encodeRlp));
  return Buffer.concat([prefix(body.length, 0xc0), body]);
}

/** A number as an item: big-endian without leading zeros, so zero has no bytes. */
export function rlpNumber(value: bigint): Uint8Array {
  if (value < 0n) throw new RangeError(`expected a number from 0, got ${value}`);
  if (value === 0n) return new Uint8Array(0);
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

function prefix(length: number, base: number): Uint8Array {
  if (length < 56) return Uint8Array.of(base + length);
  const bytes = rlpNumber(BigInt(length));
  return Uint8Array.of(base + 55 + bytes.length, ...bytes);
}
