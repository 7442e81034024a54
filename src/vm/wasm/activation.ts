import type { CallObserver, Frame, HostState } from '../engine.js';
import type { WasmInstance } from './instance.js';
import type { WasmProgram } from './program.js';
import { type TrapKind, trapMessage } from './traps.js';

const NO_BYTES = new Uint8Array(0);

/** Up to here a loop beats the call of a native copy. */
const SHORT_COPY = 64;

/** Thrown by a host function to end a call as trapped. */
export class HostTrap extends Error {
  readonly kind: TrapKind;

  constructor(kind: TrapKind, detail: string) {
    super(`${trapMessage(kind)}: ${detail}`);
    this.name = 'HostTrap';
    this.kind = kind;
  }
}

/** Thrown by the host function `revert` to end a call; the data is the activation's output. */
export class RevertSignal extends Error {
  constructor() {
    super('the contract reverted');
    this.name = 'RevertSignal';
  }
}

/** Thrown by a host function that a call cannot pay for. */
export class OutOfGasSignal extends Error {
  constructor() {
    super('the call is out of gas');
    this.name = 'OutOfGasSignal';
  }
}

/** Whether host operations or functions are to be reported: building the reports costs more than the work. */
function seesInside(observer: CallObserver | undefined): boolean {
  if (observer === undefined) return false;
  return observer.hostOperation !== undefined || observer.functionEntered !== undefined;
}

/** One running frame: the instance that runs it, and what host functions read and leave. */
export class Activation {
  readonly frame: Frame;
  readonly host: HostState;
  /** Whoever wants to hear of more than frames. */
  readonly observer: CallObserver | undefined;
  readonly program: WasmProgram;
  readonly instance: WasmInstance;
  readonly parent: Activation | undefined;
  /** Pages that the frames below this one in the chain of calls hold. */
  readonly pagesBelow: number;
  /** Bytes of stack that the nested call being made may use: what its caller has left, less the host's own frames. */
  calleeStack = 0;
  /** What the contract set as its output, or the data it reverted with. */
  output: Uint8Array = NO_BYTES;
  /** Output of the last nested call. */
  returned: Uint8Array = NO_BYTES;

  /** Positional: hot, guarded by `bench/vm.bench.ts`. */
  constructor(
    frame: Frame,
    host: HostState,
    observer: CallObserver | undefined,
    program: WasmProgram,
    instance: WasmInstance,
    parent: Activation | undefined,
    pagesBelow: number,
  ) {
    this.frame = frame;
    this.host = host;
    this.observer = seesInside(observer) ? observer : undefined;
    this.program = program;
    this.instance = instance;
    this.parent = parent;
    this.pagesBelow = pagesBelow;
  }

  /**
   * Takes gas for what a host function came upon.
   * @throws OutOfGasSignal
   */
  charge(gas: bigint): void {
    const left = this.instance.gas - gas;
    this.instance.gas = left;
    if (left < 0n) throw new OutOfGasSignal();
  }

  /** A view of memory, for use before control goes anywhere else. @throws HostTrap `bad_pointer` */
  peek(pointer: number, length: number): Uint8Array {
    const bytes = this.#memoryWith(pointer, length);
    const start = pointer >>> 0;
    return bytes.subarray(start, start + (length >>> 0));
  }

  /** A copy of memory. @throws HostTrap `bad_pointer` */
  read(pointer: number, length: number): Uint8Array {
    const bytes = this.#memoryWith(pointer, length);
    const start = pointer >>> 0;
    const size = length >>> 0;
    if (size > SHORT_COPY) return bytes.slice(start, start + size);
    const copy = new Uint8Array(size);
    for (let i = 0; i < size; i++) copy[i] = bytes[start + i] as number;
    return copy;
  }

  /** As `read`, for lengths that the host bounds. @throws HostTrap `bad_pointer`, `host_limit` */
  readLimited(what: string, pointer: number, length: number, limit: number): Uint8Array {
    if (length >>> 0 > limit) {
      throw new HostTrap('host_limit', `${what} of ${length >>> 0} bytes, at most ${limit} are taken`);
    }
    return this.read(pointer, length);
  }

  /** @throws HostTrap `bad_pointer` */
  write(pointer: number, bytes: Uint8Array): void {
    this.writePart(pointer, bytes, 0, bytes.length);
  }

  /** Copies at most `capacity` bytes and says how many. @throws HostTrap `bad_pointer` */
  writePart(pointer: number, bytes: Uint8Array, offset: number, capacity: number): number {
    const start = Math.min(offset >>> 0, bytes.length);
    const length = Math.min(capacity >>> 0, bytes.length - start);
    const memory = this.#memoryWith(pointer, length);
    const at = pointer >>> 0;
    if (length > SHORT_COPY) memory.set(bytes.subarray(start, start + length), at);
    else for (let i = 0; i < length; i++) memory[at + i] = bytes[start + i] as number;
    return length;
  }

  /** An amount: 16 bytes, little-endian. @throws HostTrap `bad_pointer` */
  readAmount(pointer: number): bigint {
    this.#memoryWith(pointer, 16);
    const { view } = this.instance;
    const high = view.getBigUint64((pointer >>> 0) + 8, true);
    const low = view.getBigUint64(pointer >>> 0, true);
    return high === 0n ? low : (high << 64n) | low;
  }

  /** @throws HostTrap `bad_pointer` */
  writeAmount(pointer: number, amount: bigint): void {
    this.#memoryWith(pointer, 16);
    const { view } = this.instance;
    view.setBigUint64(pointer >>> 0, BigInt.asUintN(64, amount), true);
    view.setBigUint64((pointer >>> 0) + 8, amount >> 64n, true);
  }

  /** The whole memory, which has so many bytes there. @throws HostTrap `bad_pointer` */
  #memoryWith(pointer: number, length: number): Uint8Array {
    const { bytes } = this.instance;
    const start = pointer >>> 0;
    if (start + (length >>> 0) > bytes.length) {
      throw new HostTrap('bad_pointer', `${length >>> 0} bytes at ${start} of ${bytes.length}`);
    }
    return bytes;
  }

  /** @throws HostTrap `view_violation` in a view */
  expectMutable(what: string): void {
    if (this.frame.isView) {
      throw new HostTrap('view_violation', what);
    }
  }
}
