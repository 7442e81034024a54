import { type BorshReader, borshReader } from './borsh-reader.js';
import { type BorshWriter, borshWriter } from './borsh-writer.js';
import { JsonReader } from './json-reader.js';
import { JsonWriter } from './json-writer.js';

export { type BorshReader, type BorshWriter, borshWriter, type JsonReader, type JsonWriter };

export interface BorshEncoder<T> {
  /** Encodes as Borsh. @throws BorshError if the value does not match the type */
  encode(value: T): Uint8Array;
  /**
   * Like `encode`, but returns a buffer that the next encoding of any codec overwrites: for bytes that are hashed or
   * copied at once. This saves an allocation, which costs more than encoding a transaction.
   * @throws BorshError if the value does not match the type
   */
  encodeTransient(value: T): Uint8Array;
}

export interface BorshDecoder<T> {
  /**
   * Decodes strict Borsh: rejects anything that `encode` does not produce. The value shares no memory with the input.
   * @throws BorshError
   */
  decode(bytes: Uint8Array): T;
  /**
   * Like `decode`, but byte strings of the value are views of the input, which must not change and lives as long.
   * @throws BorshError
   */
  decodeShared(bytes: Uint8Array): T;
  /**
   * Like `decode`, but allows trailing bytes.
   * @returns the value and the number of bytes it takes
   * @throws BorshError
   */
  decodeFirst(bytes: Uint8Array): { readonly value: T; readonly length: number };
}

export interface BorshCodec<T> extends BorshEncoder<T>, BorshDecoder<T> {}

export interface JsonEncoder<T> {
  /** Encodes as JSON text. @throws JsonEncodeError if the value does not match the type */
  toJson(value: T): string;
}

export interface JsonDecoder<T> {
  /**
   * @param value result of JSON.parse
   * @param path name of the value in errors; default is the type's name
   * @throws JsonDecodeError
   */
  fromJson(value: unknown, path?: string): T;
}

/** Encodes and decodes the values of one type. */
export interface Codec<T> extends BorshCodec<T>, JsonEncoder<T>, JsonDecoder<T> {}

export type CodecTable<T> = { readonly [K in keyof T]: Codec<T[K]> };

export interface CodecOptions {
  /**
   * How fromJson treats unknown members: reject them, so that a misspelt name is never ignored (default), or ignore
   * them, for clients of newer servers.
   */
  readonly unknownMembers?: 'error' | 'ignore';
}

/**
 * The functions that `heddle idl generate` writes for a type, one for each direction. `path` names the value in errors.
 * The writers check every value.
 */
export interface TypeFunctions<T> {
  /** Writes to {@link borshWriter}. */
  readonly writeBorsh: (value: T, path: string) => void;
  readonly readBorsh: (reader: BorshReader, path: string) => T;
  readonly writeJson: (writer: JsonWriter, value: T, path: string) => string;
  readonly readJson: (reader: JsonReader, value: unknown, path: string) => T;
}

export type FunctionTable<T> = { readonly [K in keyof T]: TypeFunctions<T[K]> };

/** `T` with mutable members, for values under construction. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Functions of some types, in some directions. */
export type SomeFunctions<T> = { readonly [K in keyof T]?: Partial<TypeFunctions<T[K]>> };

/** What functions of some directions make. */
type CodecOf<T, F> = (F extends { readonly writeBorsh: unknown } ? BorshEncoder<T> : unknown) &
  (F extends { readonly readBorsh: unknown } ? BorshDecoder<T> : unknown) &
  (F extends { readonly writeJson: unknown } ? JsonEncoder<T> : unknown) &
  (F extends { readonly readJson: unknown } ? JsonDecoder<T> : unknown);

/** The codecs that a table of functions makes. */
export type BoundCodecs<T, F> = { readonly [K in keyof T & keyof F]: CodecOf<T[K], F[K]> };

/** Builds codecs from generated functions. */
export function bindCodecs<T, F extends SomeFunctions<T> = FunctionTable<T>>(
  functions: F,
  options: CodecOptions = {},
): BoundCodecs<T, F> {
  const state = new CodecState(options);
  const table: Record<string, Codec<never>> = {};
  for (const [name, some] of Object.entries(functions)) {
    // The type of the table lacks the members whose functions are missing.
    table[name] = new StatefulCodec(state, name, some as TypeFunctions<never>);
  }
  return table as BoundCodecs<T, F>;
}

/** The JSON reader and writer shared by a set of codecs. */
export class CodecState {
  readonly jsonWriter: JsonWriter;
  readonly jsonReader: JsonReader;

  constructor({ unknownMembers = 'error' }: CodecOptions = {}, jsonWriter: JsonWriter = new JsonWriter()) {
    this.jsonWriter = jsonWriter;
    this.jsonReader = new JsonReader({ refusesUnknown: unknownMembers === 'error' });
  }
}

/** Reads each function from `functions` on first use. */
export class StatefulCodec<T> implements Codec<T> {
  readonly #state: CodecState;
  readonly #label: string;
  readonly #functions: TypeFunctions<T>;
  #writeBorsh?: TypeFunctions<T>['writeBorsh'];
  #readBorsh?: TypeFunctions<T>['readBorsh'];
  #writeJson?: TypeFunctions<T>['writeJson'];
  #readJson?: TypeFunctions<T>['readJson'];

  /** @param label name of the value in errors */
  constructor(state: CodecState, label: string, functions: TypeFunctions<T>) {
    this.#state = state;
    this.#label = label;
    this.#functions = functions;
  }

  encode(value: T): Uint8Array {
    return this.encodeTransient(value).slice();
  }

  encodeTransient(value: T): Uint8Array {
    this.#writeBorsh ??= this.#functions.writeBorsh;
    borshWriter.begin();
    this.#writeBorsh(value, this.#label);
    return borshWriter.written();
  }

  decode(bytes: Uint8Array): T {
    return this.#decode(bytes, false);
  }

  decodeShared(bytes: Uint8Array): T {
    return this.#decode(bytes, true);
  }

  #decode(bytes: Uint8Array, isShared: boolean): T {
    this.#readBorsh ??= this.#functions.readBorsh;
    borshReader.begin(bytes, isShared);
    const value = this.#readBorsh(borshReader, this.#label);
    borshReader.finish(this.#label);
    return value;
  }

  decodeFirst(bytes: Uint8Array): { readonly value: T; readonly length: number } {
    this.#readBorsh ??= this.#functions.readBorsh;
    borshReader.begin(bytes);
    const value = this.#readBorsh(borshReader, this.#label);
    return { value, length: borshReader.taken };
  }

  toJson(value: T): string {
    this.#writeJson ??= this.#functions.writeJson;
    const writer = this.#state.jsonWriter;
    writer.begin();
    return this.#writeJson(writer, value, this.#label);
  }

  fromJson(value: unknown, path: string = this.#label): T {
    this.#readJson ??= this.#functions.readJson;
    const reader = this.#state.jsonReader;
    reader.begin();
    return this.#readJson(reader, value, path);
  }
}
