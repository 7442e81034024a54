import type { ContractRecord } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
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

/** What loads the program of a code hash that is on the chain. */
export type ProgramSource = (codeHash: Uint8Array) => Program;

/** The world as contracts see it: one for each transaction or view call. */
export class ContractHost implements HostState {
  readonly block: BlockFacts;
  readonly #state: WorldState;
  readonly #engine: Engine;
  readonly #programOf: ProgramSource;
  readonly #observer: CallObserver | undefined;
  /** What nested calls reverted with, the first that raised it with each; the latest are kept. */
  readonly #raised: { readonly data: Uint8Array; readonly contract: Uint8Array }[] = [];
  readonly #outcome = new OutcomeBytes();

  constructor(options: {
    readonly state: WorldState;
    readonly env: BlockEnvironment;
    readonly engine: Engine;
    readonly programOf: ProgramSource;
    readonly observer?: CallObserver;
  }) {
    const { state, env, engine, programOf, observer } = options;
    this.#state = state;
    this.#engine = engine;
    this.#programOf = programOf;
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

  #run({ code_hash }: ContractRecord, frame: Frame): CallOutcome {
    // Of a batch's calls the last one's output counts.
    if (frame.depth === 0) this.#outcome.setOutput(0);
    return this.#engine.call(this.#programOf(code_hash), frame, this, this.#observer);
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
