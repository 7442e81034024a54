import { JsonReader } from '../../idl/codecs/json-reader.js';

/**
 * Reads the members of a JSON object by the rules of the interface's codecs, without generated code: pages that forbid `eval`
 * can run it. Members that it is not asked for are passed over, for servers grow.
 */
export class AnswerReader {
  readonly #json = new JsonReader();
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #path: string;

  /**
   * @param path what errors call the object
   * @throws JsonDecodeError where the value is no object; so do all methods where a member is not of its type
   */
  constructor(value: unknown, type: string, path: string) {
    this.#json.object(value, type, path);
    this.#object = value as Record<string, unknown>;
    this.#path = path;
  }

  /** Whether an optional member is there. */
  has(name: string): boolean {
    return this.#member(name) !== undefined && this.#member(name) !== null;
  }

  object(name: string, type: string): AnswerReader {
    return new AnswerReader(this.#member(name), type, this.pathOf(name));
  }

  value(name: string): unknown {
    return this.#member(name);
  }

  pathOf(name: string): string {
    return `${this.#path}.${name}`;
  }

  list(name: string): readonly unknown[] {
    const value = this.#member(name);
    this.#json.list(value, Number.MAX_SAFE_INTEGER, this.pathOf(name));
    return value as unknown[];
  }

  hashes(name: string): Uint8Array[] {
    const path = this.pathOf(name);
    return this.list(name).map((item, index) => this.#json.digest(item, 'hash', path, '', index));
  }

  hash(name: string): Uint8Array {
    return this.#json.digest(this.#member(name), 'hash', this.#path, `.${name}`, -1);
  }

  bytes(name: string): Uint8Array {
    return this.#json.bytes(this.#member(name), Number.MAX_SAFE_INTEGER, this.#path, `.${name}`, -1);
  }

  /** Bytes of a list. */
  bytesList(name: string): Uint8Array[] {
    const path = this.pathOf(name);
    return this.list(name).map((item, index) =>
      this.#json.bytes(item, Number.MAX_SAFE_INTEGER, path, '', index),
    );
  }

  /** Bytes of a fixed length. */
  fixed(name: string, length: number): Uint8Array {
    return this.#json.fixed(this.#member(name), length, this.#path, `.${name}`, -1);
  }

  address(name: string): Uint8Array {
    return this.#json.address(this.#member(name), this.#path, `.${name}`, -1);
  }

  bool(name: string): boolean {
    return this.#json.bool(this.#member(name), this.#path, `.${name}`, -1);
  }

  u16(name: string): number {
    return this.#json.u16(this.#member(name), this.#path, `.${name}`, -1);
  }

  u32(name: string): number {
    return this.#json.u32(this.#member(name), this.#path, `.${name}`, -1);
  }

  u64(name: string): bigint {
    return this.#json.u64(this.#member(name), this.#path, `.${name}`, -1);
  }

  u128(name: string): bigint {
    return this.#json.u128(this.#member(name), this.#path, `.${name}`, -1);
  }

  #member(name: string): unknown {
    return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
  }
}
