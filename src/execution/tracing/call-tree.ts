import type { LedgerLog, Outcome } from '../../generated/ledger.js';
import type { CallOutcome, Frame, Trap } from '../../vm/engine.js';
import type { TraceBudget } from '../views/trace-budget.js';

export type FrameKind = 'transfer' | 'deploy' | 'call' | 'view' | 'upgrade' | 'batch' | 'sealed';

export interface FrameStart {
  readonly kind: FrameKind;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly input: Uint8Array;
  readonly value: bigint;
  readonly gasLimit: bigint;
}

export interface FrameEnd {
  readonly outcome: Outcome['type'];
  readonly gasUsed: bigint;
  /** The output of a success, or the data of a revert. */
  readonly output: Uint8Array;
  /** The node's own message about a failure. */
  readonly message?: string;
  readonly trap?: Trap;
}

export interface TracedLog {
  readonly log: LedgerLog;
  /** Index among the transaction's events. */
  readonly index: number;
  /** Number of the frame's calls before the event. */
  readonly position: number;
}

export interface TracedFrame {
  start: FrameStart;
  end: FrameEnd;
  readonly logs: TracedLog[];
  readonly calls: TracedFrame[];
}

interface OpenFrame {
  /** Frames are numbered in the order of entry. */
  readonly number: number;
  readonly node: TracedFrame | undefined;
  /** Number of events before the frame. */
  readonly logsBefore: number;
}

/** Approximate JSON length of a frame, an event and a topic, in addition to their bytes. */
const FRAME_BYTES = 480;
const LOG_BYTES = 400;
const TOPIC_BYTES = 67;
const NO_BYTES = new Uint8Array(0);
const UNKNOWN_END: FrameEnd = { outcome: 'success', gasUsed: 0n, output: NO_BYTES };

/**
 * Tracks the running frame, and records the tree of frames if requested. Unlike a view call, a transaction opens its
 * own outermost frame: that of its contract is merged into it, the calls of a batch become its children.
 */
export class CallTree {
  readonly #budget: TraceBudget;
  readonly #isKept: boolean;
  readonly #open: OpenFrame[] = [];
  #root: TracedFrame | undefined;
  /** Whether the frame of depth 0 is merged into the transaction's. */
  #merges = false;
  #entered = 0;
  #logs = 0;

  /** @param isKept whether to record the tree, rather than only number its frames */
  constructor(budget: TraceBudget, isKept: boolean) {
    this.#budget = budget;
    this.#isKept = isKept;
  }

  /** The outermost frame; undefined if the tree is not recorded. */
  get root(): TracedFrame | undefined {
    return this.#root;
  }

  get running(): number {
    return this.#open.at(-1)?.number ?? 0;
  }

  begin(start: FrameStart): void {
    this.#push(start);
    this.#merges = start.kind !== 'batch';
  }

  enter(frame: Frame): void {
    if (this.#merges && frame.depth === 0) return;
    this.#push({
      kind: frame.isView ? 'view' : frame.purpose === 'deploy' ? 'deploy' : 'call',
      from: frame.caller,
      to: frame.contract,
      input: frame.input,
      value: frame.value,
      gasLimit: frame.gas + (frame.withheldGas ?? 0n),
    });
  }

  leave(frame: Frame, { status, gasUsed, output, trap }: CallOutcome): void {
    if (this.#merges && frame.depth === 0) {
      if (status !== 'success') this.#logs = this.#open.at(-1)?.logsBefore ?? 0;
      return;
    }
    this.end({ outcome: status, gasUsed, output, ...(trap === undefined ? {} : { trap }) });
  }

  event(contract: Uint8Array, topics: readonly Uint8Array[], data: Uint8Array): void {
    const index = this.#logs++;
    const node = this.#open.at(-1)?.node;
    if (node === undefined) return;
    if (!this.#budget.take(LOG_BYTES + TOPIC_BYTES * topics.length + 2 * data.length)) return;
    node.logs.push({ log: { contract, topics, data }, index, position: node.calls.length });
  }

  /** Records a transfer by a contract, as a frame in which nothing runs. */
  sent(from: Uint8Array, to: Uint8Array, amount: bigint, isDone: boolean): void {
    this.#push({ kind: 'transfer', from, to, input: NO_BYTES, value: amount, gasLimit: 0n });
    this.end({
      outcome: isDone ? 'success' : 'reverted',
      gasUsed: 0n,
      output: NO_BYTES,
      ...(isDone ? {} : { message: 'insufficient balance' }),
    });
  }

  #push(start: FrameStart): void {
    const parent = this.#open.at(-1);
    const number = this.#entered++;
    const isReached = parent === undefined || parent.node !== undefined;
    const isTaken = this.#isKept && isReached && this.#budget.take(FRAME_BYTES + 2 * start.input.length);
    const node = isTaken ? { start, end: UNKNOWN_END, logs: [], calls: [] } : undefined;
    if (node !== undefined) {
      if (parent === undefined) this.#root = node;
      else parent.node?.calls.push(node);
    }
    this.#open.push({ number, node, logsBefore: this.#logs });
  }

  end(end: FrameEnd): void {
    const frame = this.#open.pop();
    if (frame === undefined) throw new RangeError('a frame ended that never began');
    if (end.outcome !== 'success') this.#logs = frame.logsBefore;
    if (frame.node === undefined) return;
    const isKept = this.#budget.take(2 * end.output.length);
    frame.node.end = isKept ? end : { ...end, output: NO_BYTES };
  }
}
