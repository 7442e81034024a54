import type { JsonValue } from '../json-value.js';
import { describe, JsonEncodeError, joinPath } from './codec-errors.js';
import { JsonWriter } from './json-writer.js';

/**
 * `T` with hex text allowed for bytes of every kind. Addresses, hashes and other bytes of fixed length are written with
 * or without `0x`, other bytes with it.
 */
export type TextOrBytes<T> = Written<T, false>;

/** Like {@link TextOrBytes}, and with enum variants without a value by their names alone. */
export type ShortForm<T> = Written<T, true>;

type Written<T, Short extends boolean> = [JsonValue] extends [T] ? T : EachWritten<T, Short>;

type EachWritten<T, Short extends boolean> = T extends Uint8Array
  ? T | string
  : T extends string | number | bigint | boolean | null | undefined
    ? T
    : { readonly [K in keyof T]: Written<T[K], Short> } | (Short extends true ? NameOf<T> : never);

/** The name of a variant without a value. */
type NameOf<T> = T extends { readonly value: unknown }
  ? never
  : T extends { readonly type: infer N extends string }
    ? string extends N
      ? never
      : N
    : never;

/** Whether a value has any text other than the tags of its enums, so that it may have text in place of bytes. */
export function holdsText(value: unknown): boolean {
  if (typeof value === 'string') return true;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false;
  return Object.entries(value).some(([name, member]) => name !== 'type' && holdsText(member));
}

const HEX = /^[0-9a-fA-F]*$/;

/** Writes primitives like {@link JsonWriter}, and also accepts the hex text of {@link TextOrBytes}. For clients only. */
export class TextJsonWriter extends JsonWriter {
  override fixed(value: unknown, length: number, path: string, member: string, index: number): string {
    if (value instanceof Uint8Array) return super.fixed(value, length, path, member, index);
    return `"0x${fixedDigits(value, length, path, member, index)}"`;
  }

  override digest(value: unknown, path: string, member: string, index: number): string {
    if (value instanceof Uint8Array) return super.digest(value, path, member, index);
    return `"${fixedDigits(value, 32, path, member, index)}"`;
  }

  override bytes(value: unknown, max: number, path: string, member: string, index: number): string {
    if (typeof value !== 'string') return super.bytes(value, max, path, member, index);
    const length = value.length / 2 - 1;
    if (length > max) {
      throw new JsonEncodeError(joinPath(path, member, index), `at most ${max} bytes`, describe(value));
    }
    const digits = value.slice(2);
    if (!value.startsWith('0x') || !Number.isInteger(length) || !HEX.test(digits)) {
      const expected = 'bytes or their text (0x and an even number of hex digits)';
      throw new JsonEncodeError(joinPath(path, member, index), expected, describe(value));
    }
    return `"0x${digits.toLowerCase()}"`;
  }
}

/** The lowercase digits of a text of `length` bytes, without prefix. */
function fixedDigits(value: unknown, length: number, path: string, member: string, index: number): string {
  if (typeof value === 'string') {
    const start = value.length === 2 * length + 2 && value.startsWith('0x') ? 2 : 0;
    const digits = value.slice(start);
    if (value.length - start === 2 * length && HEX.test(digits)) return digits.toLowerCase();
  }
  const expected = `${length} bytes or their text (${2 * length} hex digits, with or without 0x)`;
  throw new JsonEncodeError(joinPath(path, member, index), expected, describe(value));
}
