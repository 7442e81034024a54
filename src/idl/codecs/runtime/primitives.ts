import { fixedBytesLength } from '../../primitives.js';
import type { BorshWriter } from '../borsh-writer.js';
import type { JsonReader } from '../json-reader.js';
import type { JsonWriter } from '../json-writer.js';
import type { Run } from './closures.js';

/** Codecs whose methods for primitives take a value. */
type ValueCodec = BorshWriter | JsonReader | JsonWriter;

const PLAIN: ReadonlyMap<string, Run<ValueCodec>> = new Map<string, Run<ValueCodec>>([
  ['bool', (c, v, path, member, index) => c.bool(v, path, member, index)],
  ['u8', (c, v, path, member, index) => c.u8(v, path, member, index)],
  ['u16', (c, v, path, member, index) => c.u16(v, path, member, index)],
  ['u32', (c, v, path, member, index) => c.u32(v, path, member, index)],
  ['u64', (c, v, path, member, index) => c.u64(v, path, member, index)],
  ['u128', (c, v, path, member, index) => c.u128(v, path, member, index)],
  ['i8', (c, v, path, member, index) => c.i8(v, path, member, index)],
  ['i16', (c, v, path, member, index) => c.i16(v, path, member, index)],
  ['i32', (c, v, path, member, index) => c.i32(v, path, member, index)],
  ['i64', (c, v, path, member, index) => c.i64(v, path, member, index)],
  ['i128', (c, v, path, member, index) => c.i128(v, path, member, index)],
]);

/** The function of a primitive that all these codecs treat alike. */
export function primitive(name: string, max: number): Run<ValueCodec> {
  const plain = PLAIN.get(name);
  if (plain !== undefined) return plain;
  const length = fixedBytesLength(name);
  if (length !== undefined) return (c, v, path, member, index) => c.fixed(v, length, path, member, index);
  if (name === 'bytes') return (c, v, path, member, index) => c.bytes(v, max, path, member, index);
  if (name === 'string') return (c, v, path, member, index) => c.string(v, max, path, member, index);
  throw new Error(`no codec for ${name}`);
}
