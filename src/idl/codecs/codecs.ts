import type { Manifest, StructDefinition, TypeReference } from '../manifest.js';
import { TypeTable } from '../type-table.js';
import { BorshReader } from './borsh-reader.js';
import { BorshReaderGenerator } from './borsh-reader-code.js';
import { BorshWriter } from './borsh-writer.js';
import { BorshWriterGenerator } from './borsh-writer-code.js';
import { JsonReader } from './json-reader.js';
import { JsonReaderGenerator } from './json-reader-code.js';
import { JsonWriter } from './json-writer.js';
import { JsonWriterGenerator } from './json-writer-code.js';

/** Encodes and decodes the values of one type. */
export interface Codec<T> {
  /**
   * Borsh.
   * @throws BorshError where the value is not of the type
   */
  encode(value: T): Uint8Array;
  /**
   * As `encode`, but in a buffer that the next encoding overwrites: for bytes that are hashed or copied at once.
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
  /**
   * Whether the types themselves come from strangers, so that a few bytes may stand for very many values, or for values of
   * very long names: then both are bounded while they are read and written.
   */
  readonly foreignTypes?: boolean;
}

/**
 * Codecs for every struct and enum of a manifest, by name. Each direction is compiled when it is first used.
 * @typeParam T the generated interface that maps names to types
 */
export function compileTypes<T>(manifest: Manifest, options: CodecOptions = {}): CodecTable<T> {
  const names = [...manifest.structs, ...manifest.enums].map(({ name }) => name);
  const unit = new CodecUnit(new TypeTable(manifest), new Map(names.map((name) => [name, name])), options);
  const table: Record<string, Codec<unknown>> = {};
  for (const name of names) table[name] = unit.codec(name);
  return table as unknown as CodecTable<T>;
}

type WriteBorsh = (value: unknown, path: string) => void;
type ReadBorsh = (path: string) => unknown;
type WriteJson = (value: unknown, path: string) => string;
type ReadJson = (value: unknown, path: string) => unknown;

/** Types that are compiled together, and the buffers that they share. */
export class CodecUnit {
  readonly #types: TypeTable;
  readonly #roots: ReadonlyMap<string, TypeReference | StructDefinition>;
  readonly #refuseUnknown: boolean;
  readonly #isForeign: boolean;
  readonly borshWriter = new BorshWriter();
  readonly borshReader = new BorshReader();
  readonly jsonWriter = new JsonWriter();
  readonly jsonReader = new JsonReader();
  #writeBorsh?: ReadonlyMap<string, WriteBorsh>;
  #readBorsh?: ReadonlyMap<string, ReadBorsh>;
  #writeJson?: ReadonlyMap<string, WriteJson>;
  #readJson?: ReadonlyMap<string, ReadJson>;

  /** @param roots the types that codecs are wanted for; a struct may be one that the manifest does not declare */
  constructor(
    types: TypeTable,
    roots: ReadonlyMap<string, TypeReference | StructDefinition>,
    options: CodecOptions = {},
  ) {
    this.#types = types;
    this.#roots = roots;
    this.#refuseUnknown = options.unknownMembers !== 'ignore';
    this.#isForeign = options.foreignTypes === true;
  }

  codec(root: string, label: string = root): Codec<unknown> {
    return new CompiledCodec(this, root, label);
  }

  writeBorsh(root: string): WriteBorsh {
    this.#writeBorsh ??= new BorshWriterGenerator(this.#types).compile<WriteBorsh>(
      this.#roots,
      this.borshWriter,
    );
    return found(this.#writeBorsh, root);
  }

  readBorsh(root: string): ReadBorsh {
    this.#readBorsh ??= new BorshReaderGenerator(this.#types, this.#isForeign).compile<ReadBorsh>(
      this.#roots,
      this.borshReader,
    );
    return found(this.#readBorsh, root);
  }

  writeJson(root: string): WriteJson {
    this.#writeJson ??= new JsonWriterGenerator(this.#types, this.#isForeign).compile<WriteJson>(
      this.#roots,
      this.jsonWriter,
    );
    return found(this.#writeJson, root);
  }

  readJson(root: string): ReadJson {
    this.#readJson ??= new JsonReaderGenerator(this.#types, this.#refuseUnknown).compile<ReadJson>(
      this.#roots,
      this.jsonReader,
    );
    return found(this.#readJson, root);
  }
}

function found<F>(functions: ReadonlyMap<string, F>, root: string): F {
  const compiled = functions.get(root);
  if (compiled === undefined) throw new Error(`no codec was compiled for ${root}`);
  return compiled;
}

class CompiledCodec implements Codec<unknown> {
  readonly #unit: CodecUnit;
  readonly #root: string;
  readonly #label: string;
  #writeBorsh?: WriteBorsh;
  #readBorsh?: ReadBorsh;
  #writeJson?: WriteJson;
  #readJson?: ReadJson;

  constructor(unit: CodecUnit, root: string, label: string) {
    this.#unit = unit;
    this.#root = root;
    this.#label = label;
  }

  encode(value: unknown): Uint8Array {
    return this.encodeTransient(value).slice();
  }

  encodeTransient(value: unknown): Uint8Array {
    this.#writeBorsh ??= this.#unit.writeBorsh(this.#root);
    const writer = this.#unit.borshWriter;
    writer.begin();
    this.#writeBorsh(value, this.#label);
    return writer.written();
  }

  decode(bytes: Uint8Array): unknown {
    this.#readBorsh ??= this.#unit.readBorsh(this.#root);
    const reader = this.#unit.borshReader;
    reader.begin(bytes);
    const value = this.#readBorsh(this.#label);
    reader.finish(this.#label);
    return value;
  }

  toJson(value: unknown): string {
    this.#writeJson ??= this.#unit.writeJson(this.#root);
    this.#unit.jsonWriter.begin();
    return this.#writeJson(value, this.#label);
  }

  fromJson(value: unknown, path: string = this.#label): unknown {
    this.#readJson ??= this.#unit.readJson(this.#root);
    this.#unit.jsonReader.begin();
    return this.#readJson(value, path);
  }
}
