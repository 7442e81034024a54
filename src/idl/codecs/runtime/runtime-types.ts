import type { StructDefinition, TypeReference } from '../../manifest.js';
import type { TypeTable } from '../../type-table.js';
import { borshWriter, type TypeFunctions } from '../codec.js';
import { BorshReadClosures } from './borsh-read.js';
import { BorshWriteClosures } from './borsh-write.js';
import { JsonReadClosures } from './json-read.js';
import { JsonWriteClosures } from './json-write.js';

export interface RuntimeOptions {
  /**
   * Whether the types themselves are untrusted: a few bytes may then encode very many values, or values with very long
   * names, so both are bounded while reading and writing.
   */
  readonly foreignTypes?: boolean;
}

/** Reads and writes the types of a manifest known only at run time. */
export class RuntimeTypes {
  readonly borshWrites: BorshWriteClosures;
  readonly borshReads: BorshReadClosures;
  readonly jsonWrites: JsonWriteClosures;
  readonly jsonReads: JsonReadClosures;

  constructor(types: TypeTable, { foreignTypes = false }: RuntimeOptions = {}) {
    this.borshWrites = new BorshWriteClosures(types);
    this.borshReads = new BorshReadClosures(types, foreignTypes);
    this.jsonWrites = new JsonWriteClosures(types, foreignTypes);
    this.jsonReads = new JsonReadClosures(types);
  }

  /**
   * The functions of a type, each built on first use.
   * @param root may be a struct that the manifest does not declare
   */
  of(root: TypeReference | StructDefinition): TypeFunctions<unknown> {
    return new RuntimeFunctions(this, root);
  }
}

class RuntimeFunctions implements TypeFunctions<unknown> {
  readonly #types: RuntimeTypes;
  readonly #root: TypeReference | StructDefinition;

  constructor(types: RuntimeTypes, root: TypeReference | StructDefinition) {
    this.#types = types;
    this.#root = root;
  }

  get writeBorsh(): TypeFunctions<unknown>['writeBorsh'] {
    const { run } = this.#types.borshWrites.compile(this.#root);
    return (value, path) => run(borshWriter, value, path, '', -1);
  }

  get readBorsh(): TypeFunctions<unknown>['readBorsh'] {
    const { run } = this.#types.borshReads.compile(this.#root);
    return (reader, path) => run(reader, undefined, path, '', -1);
  }

  get writeJson(): TypeFunctions<unknown>['writeJson'] {
    const { run } = this.#types.jsonWrites.compile(this.#root);
    return (writer, value, path) => `${run(writer, value, path, '', -1)}`;
  }

  get readJson(): TypeFunctions<unknown>['readJson'] {
    const { run } = this.#types.jsonReads.compile(this.#root);
    return (reader, value, path) => run(reader, value, path, '', -1);
  }
}
