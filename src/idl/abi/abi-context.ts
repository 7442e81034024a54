import { CodedError } from '../../base/errors.js';
import { type Codec, CodecState, StatefulCodec } from '../codecs/codec.js';
import { RuntimeTypes } from '../codecs/runtime/runtime-types.js';
import { TextJsonWriter } from '../codecs/text-json-writer.js';
import { toHex } from '../hex.js';
import type { JsonValue } from '../json-value.js';
import type { ContractDefinition, FieldDefinition, Manifest, TypeReference } from '../manifest.js';
import { TypeTable } from '../type-table.js';

/** Computes SHA-256; returns 32 bytes. */
export type Sha256 = (data: Uint8Array) => Uint8Array;

/** Length in bytes of a function or error selector. */
export const SELECTOR_LENGTH = 4;

export type AbiErrorCode =
  | 'unknown_contract'
  /** Two functions, or two errors, of a contract share a selector. */
  | 'selector_collision'
  | 'unknown_function'
  /** The bytes do not begin with the function's selector. */
  | 'wrong_selector'
  /** The number or form of an event's topics does not match its fields. */
  | 'wrong_topics';

/** Thrown when a request does not match the contract's interface. */
export class AbiError extends CodedError<AbiErrorCode> {
  override readonly name = 'AbiError';
}

/** The canonical name of a type: rule 1 of contract-abi.ts. */
function canonicalType(types: TypeTable, type: TypeReference): string {
  const expanded = types.expand(type);
  switch (expanded.kind) {
    case 'list':
      return `${canonicalType(types, expanded.item)}[${expanded.length ?? ''}]`;
    case 'option':
      return `${canonicalType(types, expanded.item)}?`;
    case 'primitive':
      return expanded.name;
    default:
      return expanded.definition.name;
  }
}

/** State shared by the parts of one contract: types, name, and codec readers and writers. */
export class AbiContext {
  readonly types: TypeTable;
  readonly sha256: Sha256;
  readonly #contract: string;
  readonly #functions: RuntimeTypes;
  readonly #state: CodecState = new CodecState();
  #textState: CodecState | undefined;

  constructor(manifest: Manifest, definition: ContractDefinition, sha256: Sha256) {
    this.types = new TypeTable(manifest);
    this.sha256 = sha256;
    this.#contract = definition.name;
    this.#functions = new RuntimeTypes(this.types, { foreignTypes: true });
  }

  /** `Contract.name(type,type)`; rules 1 and 2 of contract-abi.ts. */
  signature(name: string, fields: readonly FieldDefinition[]): string {
    const types = fields.map(({ type, optional }) => (optional ? { option: type } : type));
    const names = types.map((type) => canonicalType(this.types, type));
    return `${this.#contract}.${name}(${names.join(',')})`;
  }

  selector(signature: string): Uint8Array {
    return Uint8Array.from(this.sha256(utf8(signature)).subarray(0, SELECTOR_LENGTH));
  }

  /** @param label name of the value in errors */
  typeCodec(label: string, type: TypeReference): Codec<unknown> {
    return new StatefulCodec(this.#state, label, this.#functions.of(type));
  }

  /** @param name name of the record in errors about its form; `label` names the value */
  recordCodec(name: string, label: string, fields: readonly FieldDefinition[]): Codec<unknown> {
    return new StatefulCodec(this.#state, label, this.#functions.of({ name, fields }));
  }

  /** Like {@link recordCodec}; its `toJson` takes hex text in place of bytes. */
  textRecordCodec(name: string, label: string, fields: readonly FieldDefinition[]): Codec<unknown> {
    this.#textState ??= new CodecState({}, new TextJsonWriter());
    return new StatefulCodec(this.#textState, label, this.#functions.of({ name, fields }));
  }
}

/** The first four bytes as a big-endian number, or −1 if there are fewer. */
export function selectorKey(bytes: Uint8Array): number {
  if (bytes.length < SELECTOR_LENGTH) return -1;
  let key = 0;
  for (let i = 0; i < SELECTOR_LENGTH; i++) key = (key << 8) | (bytes[i] as number);
  return key >>> 0;
}

export function checkSelector(bytes: Uint8Array, selector: Uint8Array, signature: string): void {
  if (selectorKey(bytes) === selectorKey(selector)) return;
  const got =
    bytes.length < SELECTOR_LENGTH ? `${bytes.length} bytes` : toHex(bytes.subarray(0, SELECTOR_LENGTH));
  const reason = `expected the selector ${toHex(selector)} of ${signature}, got ${got}`;
  throw new AbiError('wrong_selector', reason);
}

/** @typeParam T the form of the codec's type in JSON */
export function toJsonValue<T extends JsonValue>(codec: Codec<unknown>, value: unknown): T {
  return JSON.parse(codec.toJson(value));
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
