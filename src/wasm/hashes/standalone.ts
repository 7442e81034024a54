import { CodeWriter } from '../code-writer.js';
import type { HashFunctionBuilder } from './hash-function.js';

const PAGE_BYTES = 65_536;
const DIGEST_BYTES = 32;
/** Maximum input of {@link standaloneHash}'s own code, in bytes. */
export const MAX_STANDALONE_BYTES = PAGE_BYTES - DIGEST_BYTES;

interface AddedFunction {
  readonly params: readonly number[];
  readonly results: readonly number[];
  readonly locals: readonly number[];
  readonly body: Uint8Array;
}

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
  let instance: StandaloneInstance | undefined;
  return (data) => {
    if (data.length > MAX_STANDALONE_BYTES) return otherwise(data);
    instance ??= instantiate(builder);
    const { memory, hash } = instance;
    memory.set(data, DIGEST_BYTES);
    return hash(DIGEST_BYTES, data.length, 0) === 1 ? memory.slice(0, DIGEST_BYTES) : otherwise(data);
  };
}

interface StandaloneInstance {
  readonly memory: Uint8Array;
  readonly hash: (pointer: number, length: number, out: number) => number;
}

function instantiate(builder: HashFunctionBuilder): StandaloneInstance {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes(builder)), {});
  const { memory, hash } = exports as {
    readonly memory: WebAssembly.Memory;
    readonly hash: StandaloneInstance['hash'];
  };
  return { memory: new Uint8Array(memory.buffer), hash };
}

function moduleBytes(builder: HashFunctionBuilder): Uint8Array<ArrayBuffer> {
  const functions: AddedFunction[] = [];
  const hash = builder({
    add(params, results, locals, code) {
      functions.push({ params, results, locals, body: code.finish() });
      return functions.length - 1;
    },
  });
  const module = new CodeWriter(8_192).raw(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);
  const section = (id: number, write: (content: CodeWriter) => void): void => {
    const content = new CodeWriter(8_192);
    write(content);
    module.byte(id).sized(content.view());
  };
  section(1, (types) => {
    types.u32(functions.length);
    for (const { params, results } of functions) {
      types.byte(0x60).sized(Uint8Array.from(params)).sized(Uint8Array.from(results));
    }
  });
  section(3, (indices) => {
    indices.u32(functions.length);
    for (const index of functions.keys()) indices.u32(index);
  });
  section(5, (memories) => memories.raw(1, 1, 1, 1));
  section(7, (names) => names.byte(2).name('memory').raw(2, 0).name('hash').byte(0).u32(hash));
  section(10, (bodies) => {
    bodies.u32(functions.length);
    for (const { locals, body } of functions) {
      const code = new CodeWriter(8_192).u32(locals.length);
      for (const type of locals) code.byte(1).byte(type);
      bodies.sized(code.bytes(body).view());
    }
  });
  return new Uint8Array(module.view());
}
