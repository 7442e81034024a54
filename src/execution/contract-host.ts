import type { ContractRecord } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { coldCodeGas } from '../ledger/gas.js';
import { OutcomeBytes } from '../ledger/outcome-bytes.js';
import type {
  BlockFacts,
  CallObserver,
  CallOutcome,
  Engine,
  Frame,
  HostState,
  Program,
} from '../vm/engine.js';
import type { BlockEnvironment } from './block-environment.js';
import type { WorldState } from './world-state.js';

/** Reverts of nested calls that are remembered for the transaction's own. */
const MAX_RAISED = 16;

/** Where the programs of code that is on the chain come from. */
export interface ProgramSource {
  /** The program, where this thread has it loaded. */
  find(codeHash: Uint8Array): Program | undefined;
  load(codeHash: Uint8Array): Program;
  /** Bytes of its machine code, without loading it. */
  machineCode(codeHash: Uint8Array): number;
}

const NO_BYTES = new Uint8Array(0);

/** The world as contracts see it: one for each transaction or view call. */
export class ContractHost implements HostState {
  readonly block: BlockFacts;
  readonly #state: WorldState;
  readonly #engine: Engine;
  readonly #programs: ProgramSource;
  readonly #observer: CallObserver | undefined;
  /** Hashes of code that was entered already, or put on the chain. Most transactions have one. */
  #firstWarm: string | undefined;
  #otherWarm: Set<string> | undefined;
  /** What nested calls reverted with, the first that raised it with each; the latest are kept. */
  readonly #raised: { readonly data: Uint8Array; readonly contract: Uint8Array }[] = [];
  readonly #outcome = new OutcomeBytes();

  constructor(options: {
    readonly state: WorldState;
    readonly env: BlockEnvironment;
    readonly engine: Engine;
    readonly programs: ProgramSource;
    readonly observer?: CallObserver;
  }) {
    const { state, env, engine, programs, observer } = options;
    this.#state = state;
    this.#engine = engine;
    this.#programs = programs;
    this.#observer = observer;
    this.block = { height: env.height, timestampMs: env.timestampMs, chainId: env.chainId };
  }

  readStorage(contract: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
    return this.#state.slot(contract, slot);
  }

  writeStorage(contract: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    this.#state.writeSlot(contract, slot, value);
  }

  removeStorage(contract: Uint8Array, slot: Uint8Array): boolean {
    const present = this.#state.slot(contract, slot) !== undefined;
    if (present) this.#state.writeSlot(contract, slot, undefined);
    return present;
  }

  hasStorage(contract: Uint8Array, slot: Uint8Array): boolean {
    return this.#state.slot(contract, slot) !== undefined;
  }

  balance(address: Uint8Array): bigint {
    return this.#state.balance(toHex(address));
  }

  transfer(from: Uint8Array, to: Uint8Array, amount: bigint): boolean {
    const isDone = moveBalance(this.#state, toHex(from), toHex(to), amount);
    this.#observer?.balanceSent?.(from, to, amount, isDone);
    return isDone;
  }

  call(frame: Frame): CallOutcome | undefined {
    const name = toHex(frame.contract);
    const contract = this.#state.contract(name);
    if (contract === undefined) return undefined;
    const checkpoint = this.#state.checkpoint();
    const { events } = this.#outcome;
    if (frame.value > 0n && !moveBalance(this.#state, toHex(frame.caller), name, frame.value))
      return undefined;
    this.#state.touch(name);
    const outcome = this.#run(contract, frame);
    if (outcome.status !== 'success') {
      this.#state.revert(checkpoint);
      this.#outcome.backTo(events);
    }
    if (outcome.status === 'reverted' && frame.depth > 0) this.#noteRaised(frame.contract, outcome.output);
    return outcome;
  }

  /**
   * The contract below the outermost one that first reverted with this data: contracts pass on what those they call raise.
   * For people; nothing that the chain commits to.
   * @returns undefined where the outermost one raised it itself, or it is too long ago
   */
  raiserOf(data: Uint8Array): Uint8Array | undefined {
    if (data.length === 0) return undefined;
    return this.#raised.findLast((raised) => Buffer.compare(raised.data, data) === 0)?.contract;
  }

  #noteRaised(contract: Uint8Array, data: Uint8Array): void {
    if (data.length === 0 || this.raiserOf(data) !== undefined) return;
    if (this.#raised.length === MAX_RAISED) this.#raised.shift();
    this.#raised.push({ data, contract });
  }

  /** Runs a frame of a contract that is there; value is moved, and changes are undone, by the caller. */
  enter(frame: Frame): CallOutcome {
    const contract = this.#state.contract(toHex(frame.contract));
    if (contract === undefined) throw new RangeError('no contract is there to be entered');
    return this.#run(contract, frame);
  }

  /** Code that the transaction has paid for: entering it costs nothing beside what it does. */
  warm(codeHash: Uint8Array): void {
    this.#addWarm(toHex(codeHash));
  }

  /** Hot: guarded by `bench/view-call.bench.ts`. */
  #run({ code_hash }: ContractRecord, frame: Frame): CallOutcome {
    // Of a batch's calls the last one's output counts.
    if (frame.depth === 0) this.#outcome.setOutput(0);
    const loaded = this.#programs.find(code_hash);
    const hash = loaded === undefined ? toHex(code_hash) : loaded.codeHash;
    let gas = 0n;
    if (hash !== this.#firstWarm && this.#otherWarm?.has(hash) !== true) {
      gas = coldCodeGas(loaded === undefined ? this.#programs.machineCode(code_hash) : loaded.machineCode);
      if (gas > frame.gas) return this.#unpaid(frame);
      this.#addWarm(hash);
    }
    const program = loaded ?? this.#programs.load(code_hash);
    return this.#engine.call(program, frame, this, this.#observer, gas);
  }

  #addWarm(hash: string): void {
    if (this.#firstWarm === undefined) this.#firstWarm = hash;
    else {
      this.#otherWarm ??= new Set();
      this.#otherWarm.add(hash);
    }
  }

  /** The end of a frame whose gas does not pay for its code: nothing of it is loaded. */
  #unpaid(frame: Frame): CallOutcome {
    const outcome = { status: 'out_of_gas', gasUsed: frame.gas, output: NO_BYTES, trap: undefined } as const;
    this.#observer?.frameEntered?.(frame);
    this.#observer?.frameLeft?.(frame, outcome);
    return outcome;
  }

  emit(contract: Uint8Array, topics: readonly Uint8Array[], data: Uint8Array): boolean {
    if (!this.#outcome.addEvent(topics.length, data.length)) return false;
    this.#state.emit({ contract, topics, data });
    this.#observer?.eventEmitted?.(contract, topics, data);
    return true;
  }

  holdOutput(bytes: number): boolean {
    return this.#outcome.setOutput(bytes);
  }
}

/** Moves native balance; false, and nothing done, where `from` has less than `amount`. */
export function moveBalance(state: WorldState, from: string, to: string, amount: bigint): boolean {
  if (!state.covers(from, amount)) return false;
  if (amount === 0n || from === to) return true;
  state.addBalance(from, -amount);
  state.addBalance(to, amount);
  return true;
}
