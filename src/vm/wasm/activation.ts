import type { CallObserver, Frame, HostState } from '../engine.js';
import type { WasmInstance } from './instance.js';
import type { WasmProgram } from './program.js';
import { TRAP_MESSAGES, type TrapKind } from './traps.js';

const NO_BYTES = new Uint8Array(0);

/** Up to this length, a loop is faster than a native copy. */
const SHORT_COPY = 64;

/** Thrown by a host function to end a call as trapped. */
export class HostTrap extends Error {
  override readonly name = 'HostTrap';

  constructor(
    readonly kind: TrapKind,
    detail: string,
  ) {
    super(`${TRAP_MESSAGES[kind]}: ${detail}`);
  }
}

/** Thrown by the host function `revert` to end a call; the data is the activation's output. */
export class RevertSignal extends Error {
  override readonly name = 'RevertSignal';

  constructor() {
    super('the contract reverted');
  }
}

/** Thrown by a host function that a call cannot pay for. */
export class OutOfGasSignal extends Error {
  override readonly name = 'OutOfGasSignal';

  constructor() {
    super('the call is out of gas');
  }
}

/** Returns true if the observer wants more than frames; building reports of it costs more than the work. */
function seesInside(observer: CallObserver | undefined): boolean {
  if (observer === undefined) return false;
  const { hostOperation, functionEntered, frameStopped } = observer;
  return hostOperation !== undefined || functionEntered !== undefined || frameStopped !== undefined;
}

/** One running frame: its instance, and the data that host functions read and write. */
export class Activation {
  /** Set only if the observer wants more than frames. */
  readonly observer: CallObserver | undefined;
  /** Bytes of stack for the nested call being made: the caller's remainder, less the host's own frames. */
  calleeStack = 0;
  /** The output that the contract set, or its revert data. */
  output: Uint8Array = NO_BYTES;
  /** Output of the last nested call. */
  returned: Uint8Array = NO_BYTES;

  /** Takes positional parameters for speed. Hot: guarded by `bench/micro/contract-entry.bench.ts`. */
  constructor(
    readonly frame: Frame,
    readonly host: HostState,
    observer: CallObserver | undefined,
    readonly program: WasmProgram,
    readonly instance: WasmInstance,
    readonly parent: Activation | undefined,
    /** Pages held by the parents of this frame in the chain of calls. */
    readonly pagesBelow: number,
  ) {
    this.observer = seesInside(observer) ? observer : undefined;
  }

  /** Charges gas for work that a host function discovers as it runs. @throws OutOfGasSignal */
  charge(gas: bigint): void {
    const left = this.instance.gas - gas;
    this.instance.gas = left;
    if (left < 0n) throw new OutOfGasSignal();
  }

  /** Returns a view of memory, valid until control returns to the contract. @throws HostTrap `bad_pointer` */
  peek(pointer: number, length: number): Uint8Array {
    const bytes = this.#memoryWith(pointer, length);
    const start = pointer >>> 0;
    return bytes.subarray(start, start + (length >>> 0));
  }

  /** Returns a copy of memory. @throws HostTrap `bad_pointer` */
  read(pointer: number, length: number): Uint8Array {
    return copyOf(this.#memoryWith(pointer, length), pointer >>> 0, length >>> 0);
  }

  /** Returns copies of consecutive parts of memory, each of `size` bytes. @throws HostTrap `bad_pointer` */
  readEach(pointer: number, count: number, size: number): Uint8Array[] {
    const bytes = this.#memoryWith(pointer, count * size);
    const start = pointer >>> 0;
    const copies: Uint8Array[] = [];
    for (let i = 0; i < count; i++) copies.push(copyOf(bytes, start + i * size, size));
    return copies;
  }

  /** Reads like `read`, with a limit on the length. @throws HostTrap `bad_pointer`, `host_limit` */
  readLimited(what: string, pointer: number, length: number, limit: number): Uint8Array {
    if (length >>> 0 > limit) {
      throw new HostTrap('host_limit', `expected ${what} of at most ${limit} bytes, got ${length >>> 0}`);
    }
    return this.read(pointer, length);
  }

  /** @throws HostTrap `bad_pointer` */
  write(pointer: number, bytes: Uint8Array): void {
    this.writePart(pointer, bytes, 0, bytes.length);
  }

  /** Copies at most `capacity` bytes and returns how many. @throws HostTrap `bad_pointer` */
  writePart(pointer: number, bytes: Uint8Array, offset: number, capacity: number): number {
    const start = Math.min(offset >>> 0, bytes.length);
    const length = Math.min(capacity >>> 0, bytes.length - start);
    const memory = this.#memoryWith(pointer, length);
    const at = pointer >>> 0;
    if (length > SHORT_COPY) memory.set(bytes.subarray(start, start + length), at);
    else for (let i = 0; i < length; i++) memory[at + i] = bytes[start + i] as number;
    return length;
  }

  /** Reads an amount: 16 bytes, little-endian. @throws HostTrap `bad_pointer` */
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

  /** Returns the whole memory after checking that the range is inside it. @throws HostTrap `bad_pointer` */
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
    if (this.frame.isView) throw new HostTrap('view_violation', what);
  }
}

function copyOf(bytes: Uint8Array, start: number, size: number): Uint8Array {
  if (size > SHORT_COPY) return bytes.slice(start, start + size);
  const copy = new Uint8Array(size);
  for (let i = 0; i < size; i++) copy[i] = bytes[start + i] as number;
  return copy;
}
