import type { WasmModule } from '../../wasm/module.js';
import { INSTRUCTIONS, OP } from '../../wasm/opcodes.js';
import type { HostFunctionName } from './host-interface.js';

/**
 * Upper bound of V8's machine code for a function, in bytes: the sum of its baseline compiler's (Liftoff) and its
 * optimizing one's (TurboFan), since both can coexist. `npm run bench -- prices --only code` checks it against their
 * actual output for generated modules.
 *
 * 1. An instruction takes a fixed number of bytes, including loading its operands from the frame and storing its
 *    result.
 * 2. A call moves each of its parameters and results.
 * 3. At each split or join of control flow, any local or operand may have to move to where the other side expects it,
 *    and gas is charged.
 * 4. TurboFan peels and unrolls the innermost loops.
 * 5. TurboFan spends time and memory on each loop, and time on each pair of loops of a function, beyond the code it
 *    generates. They count as code here, so that one figure bounds the cost of compiling.
 */
const MACHINE_CODE = Object.freeze({
  /** Prologue, slots in the jump tables, and V8's metadata of a function. */
  function: 768,
  /** The wrapper of a host function. */
  wrapper: 1_024,
  /** A hash that a contract computes itself. */
  hash: 112 * 1024,
  /** Code added to every module: entries, charging, resetting. */
  module: 8 * 1024,
  /** A byte of the original: V8 keeps the prepared module and the decoded segments. */
  moduleByte: 2,
  /** A type, which V8 looks up among all types it has ever seen. */
  type: 4 * 1024,
  /** A local or parameter at the function's start. */
  local: 16,
  /** A global that is reset. */
  global: 32,
  /** A segment that is loaded. */
  segment: 320,
  call: 240,
  indirectCall: 368,
  /** A parameter or result of a call. */
  value: 24,
  /** A split or join of control flow: the branch, and the charge of the run that begins there. */
  flow: 176,
  /** A local or operand alive at a split or join. */
  moved: 16,
  /** A target of br_table. */
  target: 32,
  loop: 512,
  /** For each earlier loop in the function. */
  earlierLoop: 4,
  /**
   * Maximum bytes that unrolling adds to an innermost loop, to be multiplied by its nesting depth plus one: 50 nodes
   * of TurboFan's graph, 24 bytes each.
   */
  unrolled: 50 * 24,
});

/** Host functions that a contract can perform itself: see `hashes/hash-function.ts`. */
const HASHES: readonly HostFunctionName[] = ['sha256', 'blake3', 'keccak256'];

const DEFAULT = 56;
const BY_OPCODE = new Map<number, number>([
  [OP.call, 0],
  [OP.callIndirect, 0],
  [OP.unreachable, 16],
  [OP.nop, 0],
  [OP.drop, 0],
  [OP.block, 0],
  [OP.end, 0],
  [OP.else, 0],
  [OP.localGet, 24],
  [OP.localSet, 24],
  [OP.localTee, 24],
  [OP.i32Const, 24],
  [OP.i64Const, 32],
  [OP.globalGet, 56],
  [OP.globalSet, 56],
  [OP.memoryGrow, 224],
  [OP.select, 72],
]);

function bytesOf(opcode: number, name: string, immediate: string): number {
  const known = BY_OPCODE.get(opcode);
  if (known !== undefined) return known;
  if (immediate === 'memory access') return 96;
  if (/\.(div|rem)_/.test(name)) return 160;
  if (/\.(shl|shr_|rotl|rotr)/.test(name)) return 128;
  if (/^(memory|table|data|elem)\./.test(name) && name !== 'memory.size') return 400;
  return DEFAULT;
}

/** Bytes of an instruction by itself, by opcode. */
const INSTRUCTION_BYTES: ReadonlyMap<number, number> = new Map(
  [...INSTRUCTIONS].map(([opcode, { name, immediate }]) => [opcode, bytesOf(opcode, name, immediate)]),
);

interface OpenLoop {
  /** The function's size when the loop began. */
  readonly start: number;
  isInnermost: boolean;
}

/** Adds up the machine code of one function, instruction by instruction. */
export class FunctionCode {
  #bytes = 0;
  #locals = 0;
  #loopCount = 0;
  #loops: OpenLoop[] = [];

  get bytes(): number {
    return this.#bytes;
  }

  /** @param locals number of locals, including parameters */
  begin(locals: number): void {
    this.#bytes = MACHINE_CODE.function + MACHINE_CODE.local * locals;
    this.#locals = locals;
    this.#loopCount = 0;
    this.#loops = [];
  }

  instruction(opcode: number): void {
    this.#bytes += INSTRUCTION_BYTES.get(opcode) ?? 0;
  }

  /** @param values number of parameters and results */
  call(opcode: number, values: number): void {
    this.#bytes += opcode === OP.call ? MACHINE_CODE.call : MACHINE_CODE.indirectCall;
    this.#bytes += MACHINE_CODE.value * values;
  }

  /** @param operands number of live operands */
  flow(operands: number): void {
    this.#bytes += MACHINE_CODE.flow + MACHINE_CODE.moved * (this.#locals + operands);
  }

  /** @param count number of targets, including the default */
  targets(count: number, operands: number): void {
    this.#bytes += count * (MACHINE_CODE.target + MACHINE_CODE.moved * (this.#locals + operands));
  }

  openLoop(): void {
    this.#bytes += MACHINE_CODE.loop + MACHINE_CODE.earlierLoop * this.#loopCount;
    this.#loopCount += 1;
    const outer = this.#loops.at(-1);
    if (outer !== undefined) outer.isInnermost = false;
    this.#loops.push({ start: this.#bytes, isInnermost: true });
  }

  closeLoop(): void {
    const depth = this.#loops.length;
    const loop = this.#loops.pop();
    if (loop?.isInnermost !== true) return;
    // TurboFan's half of the code: the loop is peeled once, and unrolled while it is small.
    const bytes = this.#bytes - loop.start;
    this.#bytes += Math.ceil(bytes / 2 + Math.min(bytes, MACHINE_CODE.unrolled * (depth + 1)));
  }
}

/** Returns an upper bound of V8's machine code for a whole metered module, the instrumenter's parts included. */
export function moduleCode(
  module: WasmModule,
  functions: readonly { readonly machineCode: number }[],
): number {
  const imports = new Set(module.imports.map(({ name }) => name));
  let bytes = MACHINE_CODE.module + MACHINE_CODE.wrapper * imports.size;
  bytes += MACHINE_CODE.moduleByte * module.bytes.length + MACHINE_CODE.type * module.types.length;
  for (const hash of HASHES) {
    if (imports.has(hash)) bytes += MACHINE_CODE.hash;
  }
  bytes += MACHINE_CODE.global * module.globals.length;
  bytes += MACHINE_CODE.segment * (module.data.length + module.elements.length);
  for (const { machineCode } of functions) bytes += machineCode;
  return bytes;
}
