/**
 * The binary interface of a contract.
 *
 * 1. The canonical name of a type is its IDL spelling, without spaces and with aliases expanded: `u64`, `bytes32`,
 *    `Order` (structs and enums by name only), `Order[]`, `u8[4]`, `address?`. An optional parameter or field `x?:
 *    address` is the same as `x: address?`.
 * 2. A signature is `Contract.name(type,type)` over the canonical names of parameters or fields, in order.
 * 3. The input of a call is the selector (the first four bytes of sha256(signature)), then the Borsh encodings of the
 *    arguments in order. A result is its Borsh encoding; a function without a result returns no bytes.
 * 4. The data of an error is its selector, then the Borsh encodings of its fields.
 * 5. Topic 0 of an event is sha256(signature). Each indexed field is a further topic, in order: its Borsh encoding
 *    left-padded with zero bytes to 32 bytes, or the sha256 of the encoding if that is longer. The other fields are
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
  toJsonValue,
} from './abi-context.js';
import { EventAbi } from './event-abi.js';
import { FunctionAbi } from './function-abi.js';

const NO_EVENTS: readonly EventAbi[] = [];

/** A decoded event or error: its name, and its fields as JSON values. */
export interface Decoded {
  /** The event's or error's name. */
  readonly name: string;
  /** The fields by name. */
  readonly args: { readonly [field: string]: JsonValue };
}

/** Like {@link Decoded}, with fields as codec values. */
export interface DecodedValues {
  readonly name: string;
  readonly args: unknown;
}

/**
 * @param manifest manifest of the unit that declares the contract
 * @param name the contract's name; optional if the unit declares only one
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
    const reason = `expected the contract ${name ?? ''}, but the interface declares ${declared}`;
    throw new AbiError('unknown_contract', reason);
  }
  return new ContractAbi(manifest, definition, sha256);
}

/** Encodes calls of one contract and decodes its results, events and errors. */
export class ContractAbi {
  /** The contract's name. */
  readonly name: string;
  /** Methods and views by name. */
  readonly functions: ReadonlyMap<string, FunctionAbi>;
  /** Events by name. */
  readonly events: ReadonlyMap<string, EventAbi>;
  /** Errors by name. */
  readonly errors: ReadonlyMap<string, ErrorAbi>;
  readonly #functionsBySelector: ReadonlyMap<number, FunctionAbi>;
  readonly #errorsBySelector: ReadonlyMap<number, ErrorAbi>;
  /** Events by the first four bytes of topic 0. */
  readonly #eventsByTopic = new Map<number, EventAbi[]>();

  /** @throws AbiError `selector_collision` */
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

  /**
   * A method or view.
   * @throws AbiError `unknown_function`
   */
  function(name: string): FunctionAbi {
    const found = this.functions.get(name);
    if (found === undefined) {
      const known = [...this.functions.keys()].join(', ');
      const reason = `${this.name} has no function ${describe(name)}; it has ${known}`;
      throw new AbiError('unknown_function', reason);
    }
    return found;
  }

  /** The function that `input` calls, or undefined if none has its selector. */
  functionOf(input: Uint8Array): FunctionAbi | undefined {
    return this.#functionsBySelector.get(selectorKey(input));
  }

  /**
   * Decodes a log into an event.
   * @returns undefined if the log is not one of this contract's events
   * @throws AbiError or BorshError if topic 0 matches an event but the log is malformed
   */
  decodeEvent(topics: readonly Uint8Array[], data: Uint8Array): Decoded | undefined {
    const event = this.#eventOf(topics);
    return event && { name: event.name, args: event.decode(topics, data) };
  }

  /** Like {@link decodeEvent}, as JSON text. */
  decodeEventToText(topics: readonly Uint8Array[], data: Uint8Array): string | undefined {
    const event = this.#eventOf(topics);
    return event && `{"name":${event.nameText},"args":${event.decodeToText(topics, data)}}`;
  }

  /** Like {@link decodeEvent}, with fields as codec values. */
  decodeEventValues(topics: readonly Uint8Array[], data: Uint8Array): DecodedValues | undefined {
    const event = this.#eventOf(topics);
    return event && { name: event.name, args: event.decodeValues(topics, data) };
  }

  #eventOf(topics: readonly Uint8Array[]): EventAbi | undefined {
    const first = topics[0];
    if (first === undefined) return undefined;
    for (const event of this.#eventsByTopic.get(selectorKey(first)) ?? NO_EVENTS) {
      if (sameBytes(event.topic, first)) return event;
    }
    return undefined;
  }

  /**
   * Decodes the error that a contract reverted with.
   * @returns undefined if the data begins with no error's selector
   * @throws BorshError if the selector matches but the data is malformed
   */
  decodeError(data: Uint8Array): Decoded | undefined {
    const error = this.#errorsBySelector.get(selectorKey(data));
    return error && { name: error.name, args: error.decode(data) };
  }

  /** Like {@link decodeError}, with fields as codec values. */
  decodeErrorValues(data: Uint8Array): DecodedValues | undefined {
    const error = this.#errorsBySelector.get(selectorKey(data));
    return error && { name: error.name, args: error.decodeValues(data) };
  }
}

/** One error declared by a contract. Its codec is built on first use. */
export class ErrorAbi {
  /** The error's name. */
  readonly name: string;
  /** `Contract.Name(type,type)`. */
  readonly signature: string;
  /** The first four bytes of the data of a revert: of sha256(signature). */
  readonly selector: Uint8Array;
  readonly #context: AbiContext;
  readonly #definition: ErrorDefinition;
  #codec: Codec<unknown> | undefined;

  constructor(context: AbiContext, definition: ErrorDefinition) {
    this.name = definition.name;
    this.signature = context.signature(definition.name, definition.fields);
    this.selector = context.selector(this.signature);
    this.#context = context;
    this.#definition = definition;
  }

  get #fields(): Codec<unknown> {
    const { name, fields } = this.#definition;
    this.#codec ??= this.#context.recordCodec(`error ${name}`, name, fields);
    return this.#codec;
  }

  /**
   * Encodes the fields as the data of a revert.
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
    return toJsonValue(this.#fields, this.decodeValues(data));
  }

  /** Like {@link decode}, with fields as codec values. */
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
      const reason = `${part.signature} and ${other.signature} have the same selector; rename one`;
      throw new AbiError('selector_collision', reason);
    }
    found.set(key, part);
  }
  return found;
}
