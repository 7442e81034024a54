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
import { EnteredCode } from './entered-code.js';
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

const OUT_OF_GAS = { status: 'out_of_gas', trap: undefined } as const;
const TOO_MUCH_CODE = {
  status: 'trapped',
  trap: {
    kind: 'host_limit',
    message:
      'over a limit of the host: the contracts that the transaction enters are too many or too large together',
    backtrace: [],
  },
} as const;

/** The world as contracts see it: one for each transaction or view call. */
export class ContractHost implements HostState {
  readonly block: BlockFacts;
  readonly #state: WorldState;
  readonly #engine: Engine;
  readonly #programs: ProgramSource;
  readonly #observer: CallObserver | undefined;
  readonly #entered = new EnteredCode();
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

  /**
   * Notes code that the transaction has paid for by putting it on the chain.
   * @param machineCode its bytes
   */
  warm(codeHash: Uint8Array, machineCode: number): void {
    const hash = toHex(codeHash);
    // Where it would be too much, entering it says so.
    if (!this.#entered.has(hash)) this.#entered.add(hash, machineCode);
  }

  /** Hot: guarded by `bench/view-call.bench.ts`. */
  #run({ code_hash }: ContractRecord, frame: Frame): CallOutcome {
    // Of a batch's calls the last one's output counts.
    if (frame.depth === 0) this.#outcome.setOutput(0);
    const loaded = this.#programs.find(code_hash);
    const hash = loaded === undefined ? toHex(code_hash) : loaded.codeHash;
    let gas = 0n;
    if (!this.#entered.has(hash)) {
      const machineCode = loaded === undefined ? this.#programs.machineCode(code_hash) : loaded.machineCode;
      gas = coldCodeGas(machineCode);
      if (gas > frame.gas) return this.#notEntered(frame, OUT_OF_GAS, frame.gas);
      if (!this.#entered.add(hash, machineCode)) return this.#notEntered(frame, TOO_MUCH_CODE, gas);
    }
    const program = loaded ?? this.#programs.load(code_hash);
    return this.#engine.call(program, frame, this, this.#observer, gas);
  }

  /** The end of a frame whose code is not entered: nothing of it is loaded. */
  #notEntered(frame: Frame, end: Pick<CallOutcome, 'status' | 'trap'>, gasUsed: bigint): CallOutcome {
    const outcome = { ...end, gasUsed, output: NO_BYTES };
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
