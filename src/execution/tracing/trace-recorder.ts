import { maxResponseBytes, ResponseTooLargeError } from '../../ledger/response-limit.js';
import type { CallObserver } from '../../vm/engine.js';
import { stateDiffJson } from '../simulation/state-diff.js';
import type { StateSource } from '../state-source.js';
import type { WorldState } from '../world-state.js';
import { CallTree, type FrameEnd, type FrameStart } from './call-tree.js';
import { type CallTreeView, callTreeJson } from './call-tree-json.js';
import { GasProfileCollector } from './gas-profile.js';
import { HostOpList } from './host-op-list.js';
import { prestateJson } from './prestate.js';
import { RecordedReads } from './recorded-reads.js';
import { TraceBudget } from './trace-budget.js';
import { hasTracer, type TracerSet } from './tracers.js';

/** Upper bound of the JSON around trace and result in a response, and between a trace's parts. */
const FRAMING = 512;

/** Collects the trace of one execution, in bounded memory. */
export class TraceRecorder {
  readonly observer: CallObserver;
  readonly #set: TracerSet;
  readonly #maxBytes: number;
  readonly #budget: TraceBudget;
  readonly #tree: CallTree;
  readonly #operations: HostOpList | undefined;
  readonly #profile: GasProfileCollector | undefined;
  #reads: RecordedReads | undefined;
  #transaction: { readonly to: Uint8Array; gasUsed: bigint } | undefined;

  /** @param maxBytes maximum size of the whole trace's JSON */
  constructor(set: TracerSet, maxBytes: number) {
    this.#set = set;
    this.#maxBytes = maxBytes;
    this.#budget = new TraceBudget(maxBytes);
    this.#tree = new CallTree(this.#budget, hasTracer(set, 'call_tree'));
    this.#operations = hasTracer(set, 'host_ops') ? new HostOpList(this.#budget) : undefined;
    this.#profile = hasTracer(set, 'gas_profile') ? new GasProfileCollector(this.#budget) : undefined;
    this.observer = this.#observerOf();
  }

  /** Returns the state to run on: the given one, wrapped if a tracer records reads. */
  watch(source: StateSource): StateSource {
    if (!hasTracer(this.#set, 'prestate')) return source;
    this.#reads = new RecordedReads(source, this.#budget);
    return this.#reads;
  }

  begin(start: FrameStart): void {
    this.#transaction = { to: start.to, gasUsed: 0n };
    this.#tree.begin(start);
  }

  end(end: FrameEnd): void {
    if (this.#transaction !== undefined) this.#transaction.gasUsed = end.gasUsed;
    this.#tree.end(end);
  }

  /** Sets the outermost frame's gas limit, after a run with a lower one that did not depend on it. */
  setGasLimit(gasLimit: bigint): void {
    this.#tree.setGasLimit(gasLimit);
  }

  /** Records a call that was refused before anything ran. */
  refused(start: FrameStart, end: FrameEnd): void {
    this.#tree.begin(start);
    this.#tree.end(end);
  }

  /**
   * Returns the JSON of the Trace.
   * @param state the state after the execution, with its writes
   * @param before the state before these writes
   * @param rest length of the rest of the response, in UTF-16 units: a trace that leaves too little room is truncated
   */
  json(state: WorldState, before: StateSource, view: CallTreeView, rest: number): string {
    let left = Math.max(0, Math.min(this.#maxBytes, maxResponseBytes() - rest - FRAMING));
    let isTruncated = this.#budget.isExhausted;
    // Each part is truncated separately: the parts after it still get the remaining budget.
    const member = (name: string, json: (budget: TraceBudget) => string | undefined): string => {
      const budget = new TraceBudget(left);
      const text = ifItFits(() => json(budget));
      if (text === undefined) budget.exhaust();
      left = budget.left;
      isTruncated ||= budget.isExhausted;
      return text === undefined ? '' : `"${name}":${text},`;
    };
    // In order of priority for the budget: the list of operations, which can fill any trace, comes last.
    const { root } = this.#tree;
    const tree = root === undefined ? '' : member('call_tree', (budget) => callTreeJson(root, view, budget));
    const diff = hasTracer(this.#set, 'state_diff')
      ? member('state_diff', (budget) => budget.list(stateDiffJson(state, before)))
      : '';
    const profile = this.#profile;
    const gas =
      profile === undefined
        ? ''
        : member('gas_profile', (budget) => profile.json(this.#transaction, view.abiOf, budget));
    const reads = this.#reads;
    const prestate =
      reads === undefined ? '' : member('prestate', (budget) => prestateJson(reads, budget));
    const list = this.#operations;
    const operations = list === undefined ? '' : member('host_ops', (budget) => list.json(budget));
    return `{${tree}${operations}${diff}${prestate}${gas}"truncated":${isTruncated}}`;
  }

  /** Observes only what is requested: an observer that looks inside calls slows them down. */
  #observerOf(): CallObserver {
    const tree = this.#tree;
    const operations = this.#operations;
    const profile = this.#profile;
    return {
      ...(operations === undefined && profile === undefined ? {} : { variant: 'observed' }),
      frameEntered: (frame) => {
        tree.enter(frame);
        profile?.enter(frame);
      },
      frameLeft: (frame, outcome) => {
        profile?.leave(frame, outcome);
        tree.leave(frame, outcome);
      },
      eventEmitted: (contract, topics, data) => tree.event(contract, topics, data),
      balanceSent: (from, to, amount, isDone) => tree.sent(from, to, amount, isDone),
      ...(operations === undefined && profile === undefined
        ? {}
        : {
            hostOperation: (operation) => {
              operations?.add(tree.running, operation);
              profile?.operation(operation);
            },
          }),
      ...(profile === undefined
        ? {}
        : {
            functionEntered: (name: string, gasLeft: bigint) => profile.functionEntered(name, gasLeft),
            functionLeft: (_name: string, gasLeft: bigint) => profile.functionLeft(gasLeft),
          }),
    };
  }
}

/** Omits a part that exceeds a response by itself, like any part that does not fit. */
function ifItFits(part: () => string | undefined): string | undefined {
  try {
    return part();
  } catch (error) {
    if (error instanceof ResponseTooLargeError) return undefined;
    throw error;
  }
}
