import { type BorshReader, borshReader } from '../../idl/codecs/borsh-reader.js';
import { borshWriter } from '../../idl/codecs/borsh-writer.js';
import { BorshError, JsonDecodeError } from '../../idl/codecs/codec-errors.js';
import { JsonReader } from '../../idl/codecs/json-reader.js';
import { VerifyError } from './verify-error.js';

/** Reads a type from parsed JSON: one of the functions in `src/generated`. */
type ReadJson<T> = (reader: JsonReader, value: unknown, path: string) => T;

/** Runs a function that reads an answer. @throws VerifyError `malformed` if it, or bytes in it, do not decode */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonDecodeError || error instanceof BorshError)) throw error;
    throw new VerifyError('malformed', error.message, { cause: error });
  }
}

/** Reads a value, ignoring unknown members. @param path name of the value in errors @throws JsonDecodeError */
export function readAnswer<T>(value: unknown, read: ReadJson<T>, path: string): T {
  return read(new JsonReader({ refusesUnknown: false }), value, path);
}

/** Reads single members of an answer. */
export class Answer {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #path: string;

  /** @param path name of the answer in errors @throws JsonDecodeError if the value is not an object */
  constructor(value: unknown, type: string, path: string) {
    const reader: JsonReader = new JsonReader();
    reader.object(value, type, path);
    this.#members = value;
    this.#path = path;
  }

  /** True if an optional member is present. */
  has(name: string): boolean {
    return this.#member(name) !== undefined && this.#member(name) !== null;
  }

  /** @throws JsonDecodeError */
  read<T>(name: string, read: ReadJson<T>): T {
    return readAnswer(this.#member(name), read, `${this.#path}.${name}`);
  }

  #member(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
  }
}

/** @param type name of the value in errors @throws BorshError */
export function decodeBorsh<T>(
  bytes: Uint8Array,
  read: (reader: BorshReader, path: string) => T,
  type: string,
): T {
  borshReader.begin(bytes);
  const value = read(borshReader, type);
  borshReader.finish(type);
  return value;
}

/** Encodes into a buffer that the next encoding overwrites. @param type name in errors @throws BorshError */
export function encodeBorsh<T>(value: T, write: (value: T, path: string) => void, type: string): Uint8Array {
  borshWriter.begin();
  write(value, type);
  return borshWriter.written();
}
