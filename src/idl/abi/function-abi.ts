import type { Codec } from '../codecs/codec.js';
import { BorshError, describe, JsonDecodeError } from '../codecs/codec-errors.js';
import { holdsText } from '../codecs/text-json-writer.js';
import type { JsonValue } from '../json-value.js';
import type { ContractFunctionDefinition } from '../manifest.js';
import { isRecord, mapFields, mapLeaves, wholeVariant } from '../map-leaves.js';
import { type AbiContext, checkSelector, concat, SELECTOR_LENGTH, toJsonValue } from './abi-context.js';
import { membersText, type TextOf, typeText } from './fixed-text.js';

/** A method or view. What only some callers need is built on first use: an interface may declare thousands. */
export class FunctionAbi {
  /** The function's name. */
  readonly name: string;
  /** Whether it may change state. */
  readonly kind: 'method' | 'view';
  /** `Contract.name(type,type)`. */
  readonly signature: string;
  /** The first four bytes of a call's input: of sha256(signature). */
  readonly selector: Uint8Array;
  readonly #definition: ContractFunctionDefinition;
  readonly #context: AbiContext;
  #arguments: Codec<unknown> | undefined;
  #result: Codec<unknown> | undefined;
  /** Only clients need it. */
  #textArguments: Codec<unknown> | undefined;
  #argumentsText: TextOf | undefined;
  #resultText: TextOf | undefined;
  #nameText: string | undefined;

  constructor(context: AbiContext, definition: ContractFunctionDefinition) {
    this.name = definition.name;
    this.kind = definition.kind;
    this.signature = context.signature(definition.name, definition.params);
    this.selector = context.selector(this.signature);
    this.#definition = definition;
    this.#context = context;
  }

  /** The name as JSON. */
  get nameText(): string {
    this.#nameText ??= JSON.stringify(this.name);
    return this.#nameText;
  }

  /** The arguments as a struct of the named parameters. */
  get arguments(): Codec<unknown> {
    const { name, params } = this.#definition;
    this.#arguments ??= this.#context.recordCodec(`${name} arguments`, 'args', params);
    return this.#arguments;
  }

  /** The result; undefined if the function returns nothing. */
  get result(): Codec<unknown> | undefined {
    const { returns } = this.#definition;
    if (returns === undefined) return undefined;
    this.#result ??= this.#context.typeCodec('result', returns);
    return this.#result;
  }

  /**
   * Encodes the input of a call.
   * @param args JSON values: an object by name, or a list by position; undefined means no arguments. A list may omit
   *   trailing optional arguments.
   * @throws JsonDecodeError with paths that begin with `args`
   */
  encodeCall(args: unknown): Uint8Array {
    const named = Array.isArray(args) ? this.#byPosition(args) : (args ?? {});
    return concat(this.selector, this.arguments.encodeTransient(this.arguments.fromJson(named, 'args')));
  }

  /**
   * Encodes the input of a call.
   * @param args codec values by name; bytes may also be hex text
   * @throws BorshError, JsonEncodeError, JsonDecodeError with paths that begin with `args`
   */
  encodeValues(args: unknown): Uint8Array {
    return concat(
      this.selector,
      this.arguments.encodeTransient(holdsText(args) ? this.#toBytes(args) : args),
    );
  }

  /**
   * Writes out variants without payload that are given by their names alone: `"yes"` becomes `{"type":"yes"}`.
   * @param args values by name, or a list by position
   * @throws JsonDecodeError for another name, listing the variants
   */
  withWholeVariants(args: unknown): unknown {
    const { params } = this.#definition;
    const { types } = this.#context;
    if (!Array.isArray(args)) {
      return isRecord(args) ? mapFields(types, params, args, 'args', wholeVariant) : args;
    }
    return args.map((value: unknown, i) => {
      const param = params[i];
      if (param === undefined || value === null || value === undefined) return value;
      return mapLeaves(types, param.type, value, `args.${param.name}`, wholeVariant);
    });
  }

  /** Converts hex text in arguments to bytes. */
  #toBytes(args: unknown): unknown {
    const { name, params } = this.#definition;
    this.#textArguments ??= this.#context.textRecordCodec(`${name} arguments`, 'args', params);
    return this.arguments.fromJson(JSON.parse(this.#textArguments.toJson(args)), 'args');
  }

  /**
   * Decodes the result as a codec value; null if the function returns nothing.
   * @throws BorshError
   */
  decodeValue(output: Uint8Array): unknown {
    if (this.result !== undefined) return this.result.decode(output);
    if (output.length === 0) return null;
    throw new BorshError('trailing_bytes', 'result', `expected no bytes, got ${output.length}`, 0);
  }

  /**
   * Decodes the arguments of a call's input, by name.
   * @throws AbiError `wrong_selector`
   * @throws BorshError
   */
  decodeCall(input: Uint8Array): { readonly [parameter: string]: JsonValue } {
    checkSelector(input, this.selector, this.signature);
    return toJsonValue(this.arguments, this.arguments.decode(input.subarray(SELECTOR_LENGTH)));
  }

  /**
   * The arguments of a call's input as JSON text. The caller has checked the selector.
   * @throws BorshError, JsonEncodeError
   */
  argumentsText(input: Uint8Array): string {
    this.#argumentsText ??= membersText(this.#definition.params, this.#context.types, this.arguments);
    return `{${this.#argumentsText(input, SELECTOR_LENGTH)}}`;
  }

  /**
   * The result as JSON text; undefined if the function returns nothing.
   * @throws BorshError, JsonEncodeError
   */
  resultText(output: Uint8Array): string | undefined {
    const { returns } = this.#definition;
    if (returns === undefined || this.result === undefined) return undefined;
    this.#resultText ??= typeText(returns, this.#context.types, this.result);
    return this.#resultText(output, 0);
  }

  /**
   * Encodes a result as the function returns it.
   * @param result a JSON value
   * @throws JsonDecodeError with paths that begin with `result`
   */
  encodeResult(result: unknown): Uint8Array {
    if (this.result !== undefined) return this.result.encode(this.result.fromJson(result, 'result'));
    if (result === undefined || result === null) return new Uint8Array(0);
    throw new JsonDecodeError('wrong_value', 'result', `no result from ${this.signature}`, describe(result));
  }

  /**
   * Decodes the result as a JSON value; null if the function returns nothing.
   * @throws BorshError
   */
  decodeResult(output: Uint8Array): JsonValue {
    const value = this.decodeValue(output);
    return this.result === undefined ? null : toJsonValue(this.result, value);
  }

  #byPosition(args: readonly unknown[]): unknown {
    const parameters = this.#definition.params;
    const max = parameters.length;
    const min = parameters.findLastIndex((parameter) => !parameter.optional) + 1;
    if (args.length < min || args.length > max) {
      const expected = min === max ? `${max}` : `${min} to ${max}`;
      const names = parameters.map(({ name }) => name).join(', ');
      throw new JsonDecodeError('wrong_value', 'args', `${expected} arguments (${names})`, describe(args));
    }
    return Object.fromEntries(args.map((value, i) => [parameters[i]?.name ?? '', value]));
  }
}
