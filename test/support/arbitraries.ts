import fc from 'fast-check';
import type { FieldDefinition, Manifest, TypeReference } from '../../src/idl/manifest.js';
import { fixedBytesLength, INTEGERS } from '../../src/idl/primitives.js';
import { TypeTable } from '../../src/idl/type-table.js';

/** Below this depth lists are empty and options absent, so that recursive types end. */
const MAX_DEPTH = 5;
const MAX_ITEMS = 3;

/** Values of a manifest's type; structs and enums by name. */
export function arbitraryOf(manifest: Manifest, type: TypeReference): fc.Arbitrary<unknown> {
  return new Arbitraries(new TypeTable(manifest)).of(type, 0);
}

/** Objects of members or parameters, like those of a struct. */
export function arbitraryOfFields(
  manifest: Manifest,
  fields: readonly FieldDefinition[],
): fc.Arbitrary<unknown> {
  return new Arbitraries(new TypeTable(manifest)).record(fields, 0);
}

class Arbitraries {
  readonly #types: TypeTable;

  constructor(types: TypeTable) {
    this.#types = types;
  }

  of(type: TypeReference, depth: number, max?: number): fc.Arbitrary<unknown> {
    const expanded = this.#types.expand(type, max);
    switch (expanded.kind) {
      case 'primitive':
        return this.#primitive(expanded.name, expanded.max);
      case 'option':
        return depth >= MAX_DEPTH ? fc.constant(null) : fc.option(this.#present(expanded.item, depth + 1));
      case 'list': {
        const { length } = expanded;
        if (length === undefined && depth >= MAX_DEPTH) return fc.constant([]);
        const most = Math.min(expanded.max ?? MAX_ITEMS, MAX_ITEMS);
        const item = this.of(expanded.item, depth + 1);
        return length === undefined
          ? fc.array(item, { maxLength: most })
          : fc.array(item, { minLength: length, maxLength: length });
      }
      case 'enum': {
        const { variants } = expanded.definition;
        const plain = variants.filter((variant) => variant.payload === undefined);
        const usable = depth >= MAX_DEPTH && plain.length > 0 ? plain : variants;
        return fc.oneof(
          ...usable.map(({ tag, payload }) =>
            payload === undefined
              ? fc.constant({ type: tag })
              : fc.record(
                  { type: fc.constant(tag), value: this.of(payload, depth + 1) },
                  { noNullPrototype: true },
                ),
          ),
        );
      }
      default:
        return this.record(expanded.definition.fields, depth);
    }
  }

  record(fields: readonly FieldDefinition[], depth: number): fc.Arbitrary<unknown> {
    const shallow = fields.filter((field) => !(field.optional && depth >= MAX_DEPTH));
    const model = shallow.map((field) => {
      const value = field.optional
        ? this.#present(field.type, depth + 1, field.max)
        : this.of(field.type, depth + 1, field.max);
      return [field.name, value] as const;
    });
    const requiredKeys = shallow.filter((field) => !field.optional).map((field) => field.name);
    return fc.record(Object.fromEntries(model), { requiredKeys, noNullPrototype: true });
  }

  /** A null in an optional `json` is indistinguishable from an absent one. */
  #present(type: TypeReference, depth: number, max?: number): fc.Arbitrary<unknown> {
    return this.of(type, depth, max).filter((value) => value !== null);
  }

  #primitive(name: string, max?: number): fc.Arbitrary<unknown> {
    const integer = INTEGERS.get(name);
    if (integer !== undefined) {
      const { bits, signed } = integer;
      const top = 1n << BigInt(signed ? bits - 1 : bits);
      const least = signed ? -top : 0n;
      if (bits < 64) return fc.integer({ min: Number(least), max: Number(top - 1n) });
      const any = fc.bigInt({ min: least, max: top - 1n });
      // JSON has different forms for integers within and beyond ±(2^53 − 1).
      const small = fc.maxSafeInteger().map((n) => BigInt(signed ? n : Math.abs(n)));
      return fc.oneof(any, small);
    }
    const length = fixedBytesLength(name);
    if (length !== undefined) return bytes(length, length);
    switch (name) {
      case 'bool':
        return fc.boolean();
      case 'string': {
        const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.string());
        return text.map((t) => cutUtf8(t, max ?? 200));
      }
      case 'bytes':
        return bytes(0, Math.min(max ?? 100, 100));
      default:
        return fc.json().map((text) => JSON.parse(text) as unknown);
    }
  }
}

function bytes(minLength: number, maxLength: number): fc.Arbitrary<Uint8Array> {
  return fc.uint8Array({ minLength, maxLength });
}

/** The longest prefix of a text with at most `max` bytes. */
function cutUtf8(text: string, max: number): string {
  let cut = '';
  for (const character of text) {
    if (Buffer.byteLength(cut + character) > max) break;
    cut += character;
  }
  return cut;
}
