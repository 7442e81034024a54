import { type BorshReader, borshReader } from './borsh-reader.js';
import { type BorshWriter, borshWriter } from './borsh-writer.js';
import { JsonReader } from './json-reader.js';
import { JsonWriter } from './json-writer.js';

export { type BorshReader, type BorshWriter, borshWriter, type JsonReader, type JsonWriter };

/** Encodes and decodes the values of one type. */
export interface Codec<T> {
  /**
   * Borsh.
   * @throws BorshError where the value is not of the type
   */
  encode(value: T): Uint8Array;
  /**
   * As `encode`, but in a buffer that the next encoding of any codec overwrites: for bytes that are hashed or copied at once.
   * Spares the allocation, which costs more than the encoding of a transaction.
   * @throws BorshError where the value is not of the type
   */
  encodeTransient(value: T): Uint8Array;
  /**
   * Strict Borsh: whatever `encode` does not produce is refused. The value does not share memory with the input.
   * @throws BorshError
   */
  decode(bytes: Uint8Array): T;
  /**
   * As `decode`, of a value that others may follow.
   * @returns the value, and how many bytes are its own
   * @throws BorshError
   */
  decodeFirst(bytes: Uint8Array): { readonly value: T; readonly length: number };
  /**
   * JSON text.
   * @throws JsonEncodeError where the value is not of the type
   */
  toJson(value: T): string;
  /**
   * @param value what JSON.parse returned
   * @param path what errors call the value; default is the type's name
   * @throws JsonDecodeError
   */
  fromJson(value: unknown, path?: string): T;
}

export type CodecTable<T> = { readonly [K in keyof T]: Codec<T[K]> };

export interface CodecOptions {
  /**
   * What fromJson does with a member that the type does not have: refuse it, so that a misspelt one never passes
   * silently (default), or pass over it, for clients that talk to newer servers.
   */
  readonly unknownMembers?: 'error' | 'ignore';
}

/**
 * The functions that `heddle idl generate` writes for a type, one for each direction. `path` is what errors call the value.
 * The writers check whatever they are given.
 */
export interface TypeFunctions<T> {
  /** Writes to {@link borshWriter}. */
  readonly writeBorsh: (value: T, path: string) => void;
  readonly readBorsh: (reader: BorshReader, path: string) => T;
  readonly writeJson: (writer: JsonWriter, value: T, path: string) => string;
  readonly readJson: (reader: JsonReader, value: unknown, path: string) => T;
}

export type FunctionTable<T> = { readonly [K in keyof T]: TypeFunctions<T[K]> };

/** A type whose members may be set: for values under construction. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Codecs out of generated functions. */
export function bindCodecs<T>(functions: FunctionTable<T>, options: CodecOptions = {}): CodecTable<T> {
  const state = new CodecState(options);
  const table: Partial<Writable<CodecTable<T>>> = {};
  for (const name in functions) table[name] = new StatefulCodec(state, name, functions[name]);
  return table as CodecTable<T>;
}

/** What codecs read and write JSON with. */
export class CodecState {
  readonly jsonWriter: JsonWriter = new JsonWriter();
  readonly jsonReader: JsonReader;

  constructor({ unknownMembers = 'error' }: CodecOptions = {}) {
    this.jsonReader = new JsonReader({ refusesUnknown: unknownMembers === 'error' });
  }
}

/** Each function is taken out of `functions` when it is first used. */
export class StatefulCodec<T> implements Codec<T> {
  readonly #state: CodecState;
  readonly #label: string;
  readonly #functions: TypeFunctions<T>;
  #writeBorsh?: TypeFunctions<T>['writeBorsh'];
  #readBorsh?: TypeFunctions<T>['readBorsh'];
  #writeJson?: TypeFunctions<T>['writeJson'];
  #readJson?: TypeFunctions<T>['readJson'];

  /** @param label what errors call the value */
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
    this.#readBorsh ??= this.#functions.readBorsh;
    borshReader.begin(bytes);
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
