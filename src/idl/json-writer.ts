import {
  CodeGenerator,
  HERE,
  ITEM,
  MAX_RECURSION,
  memberPlace,
  type Place,
  payloadPlace,
  placeArguments,
  placePath,
} from './code-generator.js';
import { describe, JsonEncodeError, joinPath } from './codec-errors.js';
import { toHex } from './hex.js';
import type { EnumDefinition, StructDefinition, TypeReference } from './manifest.js';
import { fixedBytesLength } from './primitives.js';
import type { ExpandedType } from './type-table.js';

/** Levels of lists and objects that a `json` value may have. */
export const MAX_JSON_DEPTH = 64;

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
/** What JSON.stringify might write otherwise than it stands: quotes, backslashes, control characters, surrogates. */
const NEEDS_ESCAPE = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/**
 * Writes primitives as JSON text. Every method checks its value: what comes out always reads back as the same.
 * The place of a value is (path, member, index); see {@link joinPath}.
 *
 * Hot path: guarded by bench/codecs.bench.ts.
 */
export class JsonWriter {
  #depth = 0;

  begin(): void {
    this.#depth = 0;
  }

  enter(path: string): void {
    if (++this.#depth > MAX_RECURSION) {
      throw new JsonEncodeError(path, `at most ${MAX_RECURSION} levels`, 'more');
    }
  }

  leave(): void {
    this.#depth--;
  }

  bool(value: unknown, path: string, member: string, index: number): string {
    if (value === true) return 'true';
    if (value === false) return 'false';
    return fail(value, 'bool', path, member, index);
  }

  u8(value: unknown, path: string, member: string, index: number): number {
    if (typeof value !== 'number' || (value & 0xff) !== value) fail(value, 'u8', path, member, index);
    return value as number;
  }

  u16(value: unknown, path: string, member: string, index: number): number {
    if (typeof value !== 'number' || (value & 0xffff) !== value) fail(value, 'u16', path, member, index);
    return value as number;
  }

  u32(value: unknown, path: string, member: string, index: number): number {
    if (typeof value !== 'number' || value >>> 0 !== value) fail(value, 'u32', path, member, index);
    return value as number;
  }

  i8(value: unknown, path: string, member: string, index: number): number {
    if (typeof value !== 'number' || (value << 24) >> 24 !== value) fail(value, 'i8', path, member, index);
    return value as number;
  }

  i16(value: unknown, path: string, member: string, index: number): number {
    if (typeof value !== 'number' || (value << 16) >> 16 !== value) fail(value, 'i16', path, member, index);
    return value as number;
  }

  i32(value: unknown, path: string, member: string, index: number): number {
    if (typeof value !== 'number' || (value | 0) !== value) fail(value, 'i32', path, member, index);
    return value as number;
  }

  u64(value: unknown, path: string, member: string, index: number): number {
    if (typeof value !== 'bigint' || value < 0n || value > MAX_SAFE) {
      fail(value, 'u64 from 0 to 9007199254740991, the most that JSON holds exactly', path, member, index);
    }
    return Number(value);
  }

  i64(value: unknown, path: string, member: string, index: number): number {
    if (typeof value !== 'bigint' || value < -MAX_SAFE || value > MAX_SAFE) {
      fail(value, 'i64 within ±9007199254740991, the most that JSON holds exactly', path, member, index);
    }
    return Number(value);
  }

  u128(value: unknown, path: string, member: string, index: number): string {
    if (typeof value !== 'bigint' || BigInt.asUintN(128, value) !== value)
      fail(value, 'u128', path, member, index);
    return decimal(value as bigint);
  }

  i128(value: unknown, path: string, member: string, index: number): string {
    if (typeof value !== 'bigint' || BigInt.asIntN(128, value) !== value)
      fail(value, 'i128', path, member, index);
    return decimal(value as bigint);
  }

  /** `address` and `bytesN`: hex digits with 0x. */
  fixed(value: unknown, length: number, path: string, member: string, index: number): string {
    if (!(value instanceof Uint8Array) || value.length !== length) {
      fail(value, `${length} bytes`, path, member, index);
    }
    return `"0x${toHex(value as Uint8Array)}"`;
  }

  /** `hash` and `bytes32`: hex digits alone. */
  digest(value: unknown, path: string, member: string, index: number): string {
    if (!(value instanceof Uint8Array) || value.length !== 32) fail(value, '32 bytes', path, member, index);
    return `"${toHex(value as Uint8Array)}"`;
  }

  bytes(value: unknown, max: number, path: string, member: string, index: number): string {
    if (!(value instanceof Uint8Array)) fail(value, 'bytes', path, member, index);
    const bytes = value as Uint8Array;
    if (bytes.length > max) fail(value, `at most ${max} bytes`, path, member, index);
    return `"0x${toHex(bytes)}"`;
  }

  string(value: unknown, max: number, path: string, member: string, index: number): string {
    if (typeof value !== 'string') fail(value, 'string', path, member, index);
    const text = value as string;
    if (text.length * 3 > max && utf8Length(text) > max) {
      fail(value, `at most ${max} bytes of UTF-8`, path, member, index);
    }
    return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
  }

  list(value: unknown, max: number, path: string): void {
    if (!Array.isArray(value)) fail(value, 'list', path, '', -1);
    if ((value as unknown[]).length > max) fail(value, `at most ${max} items`, path, '', -1);
  }

  exactList(value: unknown, length: number, path: string): void {
    if (!Array.isArray(value) || value.length !== length)
      fail(value, `list of ${length} items`, path, '', -1);
  }

  json(value: unknown, path: string, member: string, index: number): string {
    checkJson(value, joinPath(path, member, index), 0);
    return JSON.stringify(value);
  }

  nothing(value: unknown, path: string): void {
    if (value !== undefined && value !== null)
      fail(value, 'no value for a variant without payload', path, '.value', -1);
  }

  object(value: unknown, type: string, path: string): void {
    if (typeof value !== 'object' || value === null) fail(value, type, path, '', -1);
  }

  unknownVariant(tag: unknown, tags: readonly string[], path: string): never {
    fail(tag, `one of ${tags.join(', ')}`, path, '.type', -1);
  }
}

function fail(value: unknown, expected: string, path: string, member: string, index: number): never {
  throw new JsonEncodeError(joinPath(path, member, index), expected, describe(value));
}

function decimal(value: bigint): string {
  // Turning a small number to text is four times as fast as a bigint.
  return value <= MAX_SAFE && value >= -MAX_SAFE ? `"${Number(value)}"` : `"${value}"`;
}

/** Bytes of a text in UTF-8; a lone surrogate counts as the three of its replacement. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    length++;
    if (code < 0x800) continue;
    const next = code >= 0xd800 && code < 0xdc00 ? text.charCodeAt(i + 1) : 0;
    if (next >= 0xdc00 && next < 0xe000) {
      length++;
      i++;
    } else {
      length++;
    }
  }
  return length;
}

function checkJson(value: unknown, path: string, depth: number): void {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return;
    case 'number':
      if (!Number.isFinite(value)) fail(value, 'a finite number', path, '', -1);
      return;
    case 'object': {
      if (value === null) return;
      if (depth >= MAX_JSON_DEPTH)
        throw new JsonEncodeError(path, `at most ${MAX_JSON_DEPTH} levels`, 'more');
      if (Array.isArray(value)) {
        for (let i = 0; i < value.length; i++) checkJson(value[i], `${path}[${i}]`, depth + 1);
        return;
      }
      const prototype: unknown = Object.getPrototypeOf(value);
      if (prototype !== Object.prototype && prototype !== null) fail(value, 'a JSON value', path, '', -1);
      if ('toJSON' in value && typeof value.toJSON === 'function') fail(value, 'a JSON value', path, '', -1);
      for (const [name, member] of Object.entries(value)) checkJson(member, `${path}.${name}`, depth + 1);
      return;
    }
    default:
      fail(value, 'a JSON value', path, '', -1);
  }
}

/** Functions (value, path) that return JSON text, by way of a {@link JsonWriter}. */
export class JsonWriterGenerator extends CodeGenerator {
  protected override readonly parameters = 'v, path';

  protected override root(type: TypeReference): string {
    return `(v, path) => '' + ${this.#write(type, 'v', HERE)}`;
  }

  protected override struct(definition: StructDefinition): string {
    const { fields } = definition;
    const check = `r.object(v, ${JSON.stringify(definition.name)}, path);`;
    // Text between two values that are always there is one literal.
    const steps: string[] = [];
    let expression = '';
    let separator = '';
    fields.forEach((field, i) => {
      const name = `"${field.name}":`;
      const value = field.optional ? `x${i}` : `v.${field.name}`;
      const written = this.#write(field.type, value, memberPlace(field), field.max);
      if (field.optional) {
        if (expression !== '') steps.push(`s += ${expression};`);
        expression = '';
        const comma =
          separator === ','
            ? `'${separator}${name}'`
            : i === 0
              ? `'${name}'`
              : `(s === '{' ? '' : ',') + '${name}'`;
        steps.push(
          `const x${i} = v.${field.name};`,
          `if (x${i} !== undefined && x${i} !== null) s += ${comma} + ${written};`,
        );
      } else {
        const comma =
          separator === ',' || i === 0 ? `'${separator}${name}'` : `(s === '{' ? '' : ',') + '${name}'`;
        expression += `${expression === '' ? '' : ' + '}${comma} + ${written}`;
        separator = ',';
      }
    });
    if (steps.length === 0) {
      return this.guarded(
        definition,
        `${check}\nreturn '{' + ${expression === '' ? "''" : expression} + '}';`,
      );
    }
    const rest = expression === '' ? '' : ` + ${expression}`;
    return this.guarded(definition, `${check}\nlet s = '{';\n${steps.join('\n')}\nreturn s${rest} + '}';`);
  }

  protected override enumeration(definition: EnumDefinition): string {
    const cases = definition.variants.map(({ tag, payload }) =>
      payload === undefined
        ? `case '${tag}': r.nothing(v.value, path); return '{"type":"${tag}","value":null}';`
        : `case '${tag}': return '{"type":"${tag}","value":' + ${this.#write(payload, 'v.value', payloadPlace(tag))} + '}';`,
    );
    const tags = this.constant(definition.variants.map(({ tag }) => tag));
    const body = `r.object(v, ${JSON.stringify(definition.name)}, path);
switch (v.type) {\n${cases.join('\n')}\ndefault: r.unknownVariant(v.type, ${tags}, path);\n}`;
    return this.guarded(definition, body);
  }

  protected override list(type: ExpandedType & { readonly kind: 'list' }): string {
    const head =
      type.length === undefined
        ? `r.list(v, ${type.max ?? 0xffff_ffff}, path);`
        : `r.exactList(v, ${type.length}, path);`;
    return `${head}
if (v.length === 0) return '[]';
let s = '[';
for (let i = 0; i < v.length; i++) { if (i !== 0) s += ','; s += ${this.#write(type.item, 'v[i]', ITEM)}; }
return s + ']';`;
  }

  protected override option(item: TypeReference): string {
    return `return v === undefined || v === null ? 'null' : ${this.#write(item, 'v', HERE)};`;
  }

  #write(type: TypeReference, value: string, place: Place, max?: number): string {
    const expanded = this.types.expand(type, max);
    if (expanded.kind !== 'primitive') return `${this.functionFor(expanded)}(${value}, ${placePath(place)})`;
    const { name } = expanded;
    const where = placeArguments(place);
    const length = fixedBytesLength(name);
    if (name === 'hash' || name === 'bytes32') return `r.digest(${value}, ${where})`;
    if (length !== undefined) return `r.fixed(${value}, ${length}, ${where})`;
    if (name === 'bytes' || name === 'string')
      return `r.${name}(${value}, ${expanded.max ?? 0xffff_ffff}, ${where})`;
    return `r.${name}(${value}, ${where})`;
  }
}
