import { type BorshReader, borshReader } from '../../idl/codecs/borsh-reader.js';
import { borshWriter } from '../../idl/codecs/borsh-writer.js';
import { BorshError, JsonDecodeError } from '../../idl/codecs/codec-errors.js';
import { JsonReader } from '../../idl/codecs/json-reader.js';
import { VerifyError } from './verify-error.js';

/** How a type is read out of parsed JSON: one of the functions in `src/generated`. */
type ReadJson<T> = (reader: JsonReader, value: unknown, path: string) => T;

/**
 * Runs what reads an answer.
 * @throws VerifyError `malformed` where the answer or bytes in it are not of their types
 */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonDecodeError || error instanceof BorshError)) throw error;
    throw new VerifyError('malformed', error.message, { cause: error });
  }
}

/**
 * A value out of an answer. Members that its type does not have are passed over, for servers grow.
 * @param path what errors call the value
 * @throws JsonDecodeError
 */
export function readAnswer<T>(value: unknown, read: ReadJson<T>, path: string): T {
  return read(new JsonReader({ refusesUnknown: false }), value, path);
}

/** An answer of which only some members are read. */
export class Answer {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #path: string;

  /**
   * @param path what errors call the answer
   * @throws JsonDecodeError where it is no object
   */
  constructor(value: unknown, type: string, path: string) {
    const reader: JsonReader = new JsonReader();
    reader.object(value, type, path);
    this.#members = value;
    this.#path = path;
  }

  /** Whether an optional member is there. */
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

/**
 * @param type what errors call the value
 * @throws BorshError
 */
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

/**
 * In a buffer that the next encoding overwrites.
 * @param type what errors call the value
 * @throws BorshError
 */
export function encodeBorsh<T>(value: T, write: (value: T, path: string) => void, type: string): Uint8Array {
  borshWriter.begin();
  write(value, type);
  return borshWriter.written();
}
