import { sameBytes } from '../../../src/base/same-bytes.js';
import type {
  CallObserver,
  CallOutcome,
  CheckedCode,
  CodeOrigin,
  Engine,
  EngineHost,
  Frame,
  PrepareVariant,
  Program,
} from '../../../src/vm/engine.js';
import { CodeRefused, EngineError } from '../../../src/vm/errors.js';

/*
 * An engine of a few instructions, registered for a second kind of code: it covers what a machine for EVM bytecode
 * will need from the host. It has a stack of 32-byte words. An instruction is one byte; some have operands:
 *
 *   push     length u8 ‖ that many bytes, a big-endian number
 *   create, createAt, returnCode     length u16 ‖ that many bytes, code
 *   skipUnless     length u8: skips that many bytes if the word on top is zero
 */

const OPS = [
  'stop',
  'push',
  'add',
  'skipUnless',
  'sload',
  'sstore',
  'caller',
  'self',
  'value',
  'input',
  'balance',
  'call',
  'delegate',
  'create',
  'createAt',
  'returned',
  'baseFee',
  'gasLimit',
  'proposer',
  'height',
  'blockHash',
  'codeSize',
  'codeHash',
  'codeByte',
  'log',
  'return',
  'revert',
  'returnCode',
  'invalid',
] as const;
type Op = (typeof OPS)[number];

/** Instructions that contain code are written as `[op, code]`, and a push as its number. */
type Source = Op | bigint | readonly ['create' | 'createAt' | 'returnCode', Uint8Array] | Uint8Array;

/** Assembles code. */
export function tiny(...source: readonly Source[]): Uint8Array {
  return Buffer.concat(source.map(encode));
}

/** Instructions that run if the word on top is not zero. */
export function when(...source: readonly Source[]): Uint8Array {
  const body = tiny(...source);
  return Buffer.concat([Buffer.of(OPS.indexOf('skipUnless'), body.length), body]);
}

/** Pushes 20 or 32 bytes. */
export function push(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.of(OPS.indexOf('push'), bytes.length), bytes]);
}

/** Init code that returns this code, after some instructions. */
export function initOf(runtime: Uint8Array, ...before: readonly Source[]): Uint8Array {
  return tiny(...before, ['returnCode', runtime]);
}

function encode(source: Source): Uint8Array {
  if (source instanceof Uint8Array) return source;
  if (typeof source === 'bigint') return push(wordOf(source));
  if (typeof source === 'string') return Buffer.of(OPS.indexOf(source));
  const [op, code] = source;
  return Buffer.concat([Buffer.of(OPS.indexOf(op), code.length >> 8, code.length & 0xff), code]);
}

/** 32 bytes, big-endian. */
export function wordOf(value: bigint): Uint8Array {
  return Buffer.from(BigInt.asUintN(256, value).toString(16).padStart(64, '0'), 'hex');
}

function numberOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function addressOf(word: bigint): Uint8Array {
  return wordOf(word).subarray(12);
}

const HEAD = Buffer.from('tiny');
const GAS: Readonly<Partial<Record<Op, bigint>>> = { sstore: 5_000n, call: 1_000n, delegate: 1_000n };
const DEFAULT_GAS = 10n;
const MAX_DEPTH = 16;
const MAX_RETURNED = 1_024;

interface TinyProgram extends Program {
  readonly code: Uint8Array;
}

export class TinyEngine implements Engine {
  readonly preparedVersion = 77;
  readonly #programs = new Map<string, TinyProgram>();

  /** Refuses code that begins with 0xef, and returned code longer than 1,024 bytes. */
  validate(code: Uint8Array, origin: CodeOrigin = 'given'): CheckedCode {
    if (code[0] === 0xef) throw new CodeRefused('reserved', 'code that begins with 0xef is reserved');
    if (origin === 'returned' && code.length > MAX_RETURNED) {
      throw new CodeRefused('size', `expected at most ${MAX_RETURNED} bytes, got ${code.length}`);
    }
    return { ...factsOf(code), prepare: () => Buffer.concat([HEAD, code]) };
  }

  inspect(prepared: Uint8Array): { readonly machineCode: number } {
    return factsOf(prepared.subarray(HEAD.length));
  }

  find(codeHash: Uint8Array, variant: PrepareVariant = 'plain'): Program | undefined {
    return this.#programs.get(`${variant} ${Buffer.from(codeHash).toString('hex')}`);
  }

  load(codeHash: Uint8Array, prepared: Uint8Array, variant: PrepareVariant = 'plain'): Program {
    if (!sameBytes(prepared.subarray(0, HEAD.length), HEAD)) {
      throw new EngineError('unusable_prepared_code', 'not prepared by this engine');
    }
    const code = prepared.slice(HEAD.length);
    const hex = Buffer.from(codeHash).toString('hex');
    const program = { codeHash: hex, variant, code, seesGas: true, ...factsOf(code) };
    this.#programs.set(`${variant} ${hex}`, program);
    return program;
  }

  call(
    program: Program,
    frame: Frame,
    host: EngineHost,
    observer?: CallObserver,
    entryGas = 0n,
  ): CallOutcome {
    const own = this.#programs.get(`${program.variant} ${program.codeHash}`);
    if (own !== program) throw new EngineError('unusable_prepared_code', 'a program of another engine');
    observer?.frameEntered?.(frame);
    const outcome = new Run(own.code, frame, host, frame.gas - entryGas).end();
    observer?.frameLeft?.(frame, outcome);
    return outcome;
  }
}

function factsOf(code: Uint8Array) {
  return { onDeploy: 'returns_code', onUpgrade: 'nothing', machineCode: code.length * 4 } as const;
}

/** Ends a run. */
class End extends Error {
  constructor(
    readonly status: CallOutcome['status'],
    readonly output: Uint8Array = new Uint8Array(0),
    readonly kind = '',
  ) {
    super(status);
  }
}

class Run {
  readonly #code: Uint8Array;
  readonly #frame: Frame;
  readonly #host: EngineHost;
  readonly #stack: bigint[] = [];
  #gas: bigint;
  #at = 0;
  #returned: Uint8Array = new Uint8Array(0);

  constructor(code: Uint8Array, frame: Frame, host: EngineHost, gas: bigint) {
    this.#code = code;
    this.#frame = frame;
    this.#host = host;
    this.#gas = gas;
  }

  end(): CallOutcome {
    try {
      this.#charge(0n);
      for (;;) this.#step();
    } catch (error) {
      if (!(error instanceof End)) throw error;
      const { status, output, kind } = error;
      const gasUsed = status === 'out_of_gas' ? this.#frame.gas : this.#frame.gas - this.#gas;
      const trap = status === 'trapped' ? { kind, message: kind, backtrace: [] } : undefined;
      return { status, gasUsed, output, trap };
    }
  }

  #charge(gas: bigint): void {
    this.#gas -= gas;
    if (this.#gas < 0n) throw new End('out_of_gas');
  }

  #pop(): bigint {
    const word = this.#stack.pop();
    if (word === undefined) throw new End('trapped', undefined, 'stack_underflow');
    return word;
  }

  #take(length: number): Uint8Array {
    const taken = this.#code.subarray(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  #takeCode(): Uint8Array {
    return this.#take(Number(numberOf(this.#take(2)))).slice();
  }

  #expectMutable(): void {
    if (this.#frame.isView) throw new End('trapped', undefined, 'view_violation');
  }

  #step(): void {
    const op = OPS[this.#code[this.#at++] ?? 0] ?? 'invalid';
    this.#charge(GAS[op] ?? DEFAULT_GAS);
    const { contract, caller, value, input } = this.#frame;
    const host = this.#host;
    const stack = this.#stack;
    switch (op) {
      case 'stop':
        throw new End('success');
      case 'push':
        stack.push(numberOf(this.#take(this.#take(1)[0] ?? 0)));
        return;
      case 'add':
        stack.push(this.#pop() + this.#pop());
        return;
      case 'skipUnless': {
        const length = this.#take(1)[0] ?? 0;
        if (this.#pop() === 0n) this.#at += length;
        return;
      }
      case 'sload':
        stack.push(numberOf(host.readStorage(contract, wordOf(this.#pop())) ?? new Uint8Array(0)));
        return;
      case 'sstore': {
        this.#expectMutable();
        const slot = wordOf(this.#pop());
        const word = this.#pop();
        if (word === 0n) host.removeStorage(contract, slot);
        else host.writeStorage(contract, slot, wordOf(word));
        return;
      }
      case 'caller':
        stack.push(numberOf(caller));
        return;
      case 'self':
        stack.push(numberOf(contract));
        return;
      case 'value':
        stack.push(value);
        return;
      case 'input':
        stack.push(numberOf(input.subarray(0, 32)));
        return;
      case 'balance':
        stack.push(host.balance(addressOf(this.#pop())));
        return;
      case 'call':
        this.#call();
        return;
      case 'delegate':
        this.#delegate();
        return;
      case 'create':
      case 'createAt':
        this.#create(op === 'createAt' ? addressOf(this.#pop()) : undefined);
        return;
      case 'returned':
        stack.push(numberOf(this.#returned.subarray(0, 32)));
        return;
      case 'baseFee':
        stack.push(host.block.baseFee);
        return;
      case 'gasLimit':
        stack.push(host.block.gasLimit);
        return;
      case 'proposer':
        stack.push(numberOf(host.block.proposer));
        return;
      case 'height':
        stack.push(host.block.height);
        return;
      case 'blockHash':
        stack.push(numberOf(host.block.hashOf(this.#pop()) ?? new Uint8Array(0)));
        return;
      case 'codeSize':
        stack.push(BigInt(host.codeSize(addressOf(this.#pop()))));
        return;
      case 'codeHash':
        stack.push(numberOf(host.codeHash(addressOf(this.#pop())) ?? new Uint8Array(0)));
        return;
      case 'codeByte': {
        const place = Number(this.#pop());
        stack.push(BigInt(host.code(addressOf(this.#pop()))?.[place] ?? 0));
        return;
      }
      case 'log':
        this.#expectMutable();
        if (!host.emit(contract, [], wordOf(this.#pop()))) throw new End('trapped', undefined, 'host_limit');
        return;
      case 'return':
        throw new End('success', wordOf(this.#pop()));
      case 'revert':
        throw new End('reverted', wordOf(this.#pop()));
      case 'returnCode':
        throw new End('success', this.#takeCode());
      case 'invalid':
        throw new End('trapped', undefined, 'invalid_instruction');
    }
  }

  /** Pops address, value and input; pushes 1 for success, else 0. */
  #call(): void {
    const to = addressOf(this.#pop());
    const value = this.#pop();
    const input = wordOf(this.#pop());
    if (value > 0n) this.#expectMutable();
    const { contract, origin, isView } = this.#frame;
    this.#nested((gas, depth) =>
      this.#host.callAccount({
        purpose: 'call',
        contract: to,
        caller: contract,
        origin,
        value,
        input,
        gas,
        isView,
        depth,
      }),
    );
  }

  /** Pops address and input; a plain account succeeds without effect. */
  #delegate(): void {
    const codeOf = addressOf(this.#pop());
    const input = wordOf(this.#pop());
    const { contract, caller, origin, value, isView } = this.#frame;
    if (this.#host.codeSize(codeOf) === 0) {
      this.#stack.push(1n);
      return;
    }
    this.#nested((gas, depth) =>
      this.#host.call({
        purpose: 'call',
        contract,
        codeOf,
        caller,
        origin,
        value,
        input,
        gas,
        isView,
        depth,
      }),
    );
  }

  /** Pops the value; pushes the contract's address, or 0. */
  #create(address: Uint8Array | undefined): void {
    this.#expectMutable();
    const value = this.#pop();
    const code = this.#takeCode();
    const { contract: creator, origin } = this.#frame;
    let created: Uint8Array | undefined;
    this.#nested((gas, depth) => {
      const creation = this.#host.create({
        vm: 'evm',
        code,
        creator,
        origin,
        value,
        input: new Uint8Array(0),
        gas,
        depth,
        ...(address === undefined ? {} : { address }),
      });
      created = creation?.contract;
      return creation?.outcome;
    });
    if (this.#pop() === 1n && created !== undefined) this.#stack.push(numberOf(created));
    else this.#stack.push(0n);
  }

  #nested(run: (gas: bigint, depth: number) => CallOutcome | undefined): void {
    this.#returned = new Uint8Array(0);
    const depth = this.#frame.depth + 1;
    const outcome = depth < MAX_DEPTH ? run(this.#gas - this.#gas / 64n, depth) : undefined;
    if (outcome !== undefined) {
      this.#gas -= outcome.gasUsed;
      this.#returned = outcome.output;
    }
    this.#stack.push(outcome?.status === 'success' ? 1n : 0n);
  }
}
