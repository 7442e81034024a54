/**
 * The binary interface of a contract.
 *
 * 1. The canonical name of a type is the way the IDL writes it, without spaces and with aliases replaced by what they stand
 *    for: `u64`, `bytes32`, `Order` (structs and enums by their own names, whatever they hold), `Order[]`, `u8[4]`,
 *    `address?` (an optional parameter or field `x?: address` is the same as `x: address?`).
 * 2. A signature is `Contract.name(type,type)` over the canonical names of parameters or fields, in order.
 * 3. The input of a call is the selector, the first four bytes of sha256(signature), and then the Borsh encodings of the
 *    arguments in order. A result is its Borsh encoding; that of a function without result is empty.
 * 4. The data of an error is its selector and then the Borsh encodings of its fields.
 * 5. Topic 0 of an event is sha256(signature). Each indexed field is a further topic, in order: its Borsh encoding, padded
 *    with zero bytes on the left to 32 bytes where it is not longer, else the sha256 of the encoding. The other fields are
 *    Borsh in `data`, in order.
 */

import { sameBytes } from '../../base/same-bytes.js';
import type { Codec } from '../codecs/codec.js';
import { describe } from '../codecs/codec-errors.js';
import type { JsonValue } from '../json-value.js';
import type { ContractDefinition, ErrorDefinition, Manifest } from '../manifest.js';
import {
  AbiContext,
  AbiError,
  checkSelector,
  concat,
  SELECTOR_LENGTH,
  type Sha256,
  selectorKey,
  toRecord,
} from './abi-context.js';
import { EventAbi } from './event-abi.js';
import { FunctionAbi } from './function-abi.js';

/** A value decoded by an interface: the name of what it is, and its fields as JSON values. */
export interface Decoded {
  readonly name: string;
  readonly args: { readonly [field: string]: JsonValue };
}

/** As {@link Decoded}, with the fields as the codecs have them. */
export interface DecodedValues {
  readonly name: string;
  readonly args: unknown;
}

/**
 * @param manifest of the unit that declares the contract
 * @param name the contract's; may be left out where the unit declares just one
 * @throws AbiError
 */
export function compileContract(manifest: Manifest, sha256: Sha256, name?: string): ContractAbi {
  const { contracts } = manifest;
  const names = contracts.map((contract) => contract.name);
  if (name === undefined && contracts.length > 1) {
    throw new AbiError('unknown_contract', `expected the name of one of the contracts ${names.join(', ')}`);
  }
  const definition = name === undefined ? contracts[0] : contracts.find((contract) => contract.name === name);
  if (definition === undefined) {
    const declared = names.length === 0 ? 'no contract' : names.join(', ');
    throw new AbiError(
      'unknown_contract',
      `expected the contract ${name ?? ''}, but the interface declares ${declared}`,
    );
  }
  return new ContractAbi(manifest, definition, sha256);
}

/** Encodes calls of one contract and decodes what it answers, emits and reports. */
export class ContractAbi {
  readonly name: string;
  /** Methods and views by name. */
  readonly functions: ReadonlyMap<string, FunctionAbi>;
  readonly events: ReadonlyMap<string, EventAbi>;
  readonly errors: ReadonlyMap<string, ErrorAbi>;
  readonly #functionsBySelector: ReadonlyMap<number, FunctionAbi>;
  readonly #errorsBySelector: ReadonlyMap<number, ErrorAbi>;
  /** By the first four bytes of topic 0. */
  readonly #eventsByTopic = new Map<number, EventAbi[]>();

  /** @throws AbiError where two selectors are the same */
  constructor(manifest: Manifest, definition: ContractDefinition, sha256: Sha256) {
    this.name = definition.name;
    const context = new AbiContext(manifest, definition, sha256);
    this.functions = byName(definition.functions.map((f) => new FunctionAbi(context, f)));
    this.events = byName(definition.events.map((e) => new EventAbi(context, e)));
    this.errors = byName(definition.errors.map((e) => new ErrorAbi(context, e)));
    this.#functionsBySelector = bySelector(this.functions.values());
    this.#errorsBySelector = bySelector(this.errors.values());
    for (const event of this.events.values()) {
      const key = selectorKey(event.topic);
      this.#eventsByTopic.set(key, [...(this.#eventsByTopic.get(key) ?? []), event]);
    }
  }

  /** @throws AbiError `unknown_function` */
  function(name: string): FunctionAbi {
    const found = this.functions.get(name);
    if (found === undefined) {
      const known = [...this.functions.keys()].join(', ');
      throw new AbiError(
        'unknown_function',
        `${this.name} has no function ${describe(name)}; it has ${known}`,
      );
    }
    return found;
  }

  /** The function that an input calls; undefined where none has its selector. */
  functionOf(input: Uint8Array): FunctionAbi | undefined {
    return this.#functionsBySelector.get(selectorKey(input));
  }

  /**
   * The event that a log is, with its fields.
   * @returns undefined where the log is none of this contract's events
   * @throws AbiError or BorshError where it claims to be one and is not well formed
   */
  decodeEvent(topics: readonly Uint8Array[], data: Uint8Array): Decoded | undefined {
    const event = this.#eventOf(topics);
    return event && { name: event.name, args: event.decode(topics, data) };
  }

  /** The JSON text of what {@link decodeEvent} gives, and the same errors. */
  decodeEventToText(topics: readonly Uint8Array[], data: Uint8Array): string | undefined {
    const event = this.#eventOf(topics);
    return event && `{"name":${JSON.stringify(event.name)},"args":${event.decodeToText(topics, data)}}`;
  }

  /** As {@link decodeEvent}, with the fields as the codecs have them. */
  decodeEventValues(topics: readonly Uint8Array[], data: Uint8Array): DecodedValues | undefined {
    const event = this.#eventOf(topics);
    return event && { name: event.name, args: event.decodeValues(topics, data) };
  }

  #eventOf([first]: readonly Uint8Array[]): EventAbi | undefined {
    if (first === undefined) return undefined;
    return this.#eventsByTopic.get(selectorKey(first))?.find(({ topic }) => sameBytes(topic, first));
  }

  /**
   * The error that a contract reverted with.
   * @returns undefined where the data begins with no error's selector
   * @throws BorshError where it does and is not well formed
   */
  decodeError(data: Uint8Array): Decoded | undefined {
    const error = this.#errorsBySelector.get(selectorKey(data));
    return error && { name: error.name, args: error.decode(data) };
  }

  /** As {@link decodeError}, with the fields as the codecs have them. */
  decodeErrorValues(data: Uint8Array): DecodedValues | undefined {
    const error = this.#errorsBySelector.get(selectorKey(data));
    return error && { name: error.name, args: error.decodeValues(data) };
  }
}

/** An error that a contract may revert with. */
export class ErrorAbi {
  readonly name: string;
  readonly signature: string;
  /** Four bytes. */
  readonly selector: Uint8Array;
  readonly #fields: Codec<unknown>;

  constructor(context: AbiContext, definition: ErrorDefinition) {
    this.name = definition.name;
    this.signature = context.signature(definition.name, definition.fields);
    this.selector = context.selector(this.signature);
    this.#fields = context.recordCodec(`error ${definition.name}`, definition.name, definition.fields);
  }

  /**
   * @param args JSON values by field name
   * @throws JsonDecodeError
   */
  encode(args: unknown): Uint8Array {
    return concat(this.selector, this.#fields.encodeTransient(this.#fields.fromJson(args)));
  }

  /**
   * The fields by name.
   * @throws AbiError `wrong_selector`
   * @throws BorshError
   */
  decode(data: Uint8Array): { readonly [field: string]: JsonValue } {
    return toRecord(this.#fields, this.decodeValues(data));
  }

  /** As {@link decode}, with the fields as the codecs have them. */
  decodeValues(data: Uint8Array): unknown {
    checkSelector(data, this.selector, this.signature);
    return this.#fields.decode(data.subarray(SELECTOR_LENGTH));
  }
}

function byName<T extends { readonly name: string }>(parts: readonly T[]): ReadonlyMap<string, T> {
  return new Map(parts.map((part) => [part.name, part]));
}

function bySelector<T extends { readonly selector: Uint8Array; readonly signature: string }>(
  parts: Iterable<T>,
): ReadonlyMap<number, T> {
  const found = new Map<number, T>();
  for (const part of parts) {
    const key = selectorKey(part.selector);
    const other = found.get(key);
    if (other !== undefined) {
      throw new AbiError(
        'selector_collision',
        `${part.signature} and ${other.signature} have the same selector; rename one`,
      );
    }
    found.set(key, part);
  }
  return found;
}
