import { BinaryWriter } from '../binary-writer.js';
import type { CodeWriter } from '../code-writer.js';
import { MODULE_HEADER, SECTION, writeLocals, writeSection, writeTypes } from '../sections.js';
import type { HashFunctionBuilder } from './hash-function.js';

const PAGE_BYTES = 65_536;
const DIGEST_BYTES = 32;
/** Maximum input of {@link standaloneHash}'s own code, in bytes. */
export const MAX_STANDALONE_BYTES = PAGE_BYTES - DIGEST_BYTES;

/**
 * Builds a host-side hash function from the code that contracts get. The function copies its input into a separate
 * memory page, and is compiled on first call.
 * @param otherwise the same function, for inputs that the code refuses or over {@link MAX_STANDALONE_BYTES}
 * @returns bytes → 32 bytes, in fresh memory
 */
export function standaloneHash(
  builder: HashFunctionBuilder,
  otherwise: (data: Uint8Array) => Uint8Array,
): (data: Uint8Array) => Uint8Array {
  let instance: { readonly memory: Uint8Array; readonly hash: HashExport } | undefined;
  return (data) => {
    if (data.length > MAX_STANDALONE_BYTES) return otherwise(data);
    if (instance === undefined) {
      const { buffer, hash } = instantiate<HashExport>(builder, 1);
      instance = { memory: new Uint8Array(buffer), hash };
    }
    const { memory, hash } = instance;
    memory.set(data, DIGEST_BYTES);
    return hash(DIGEST_BYTES, data.length, 0) === 1 ? memory.slice(0, DIGEST_BYTES) : otherwise(data);
  };
}

type HashExport = (pointer: number, length: number, out: number) => number;

/** A module of a function and those that it calls, with a memory. */
export function instantiate<F>(
  builder: HashFunctionBuilder,
  pages: number,
): { readonly buffer: ArrayBuffer; readonly hash: F } {
  const module = new WebAssembly.Module(moduleBytes(builder, pages));
  const { memory, hash } = new WebAssembly.Instance(module, {}).exports as {
    readonly memory: WebAssembly.Memory;
    readonly hash: F;
  };
  return { buffer: memory.buffer, hash };
}

interface AddedFunction {
  readonly params: readonly number[];
  readonly results: readonly number[];
  readonly locals: readonly number[];
  readonly code: CodeWriter;
}

function moduleBytes(builder: HashFunctionBuilder, pages: number): Uint8Array {
  const functions: AddedFunction[] = [];
  const hash = builder({
    add: (params, results, locals, code) => functions.push({ params, results, locals, code }) - 1,
  });
  const out = new BinaryWriter(32_768).bytes(MODULE_HEADER);
  writeSection(out, SECTION.types, (types) => writeTypes(types, functions));
  writeSection(out, SECTION.functions, (indices) => {
    indices.u32(functions.length);
    for (const index of functions.keys()) indices.u32(index);
  });
  writeSection(out, SECTION.memories, (memories) => memories.raw(1, 1).u32(pages).u32(pages));
  writeSection(out, SECTION.exports, (names) =>
    names.byte(2).name('memory').raw(2, 0).name('hash').byte(0).u32(hash),
  );
  writeSection(out, SECTION.code, (bodies) => {
    bodies.u32(functions.length);
    for (const { locals, code } of functions) {
      const body = new BinaryWriter(8_192);
      writeLocals(body, locals);
      bodies.sized(body.bytes(code.view()).view());
    }
  });
  return out.finish();
}
