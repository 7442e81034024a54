import { AnswerTooLongError, maxAnswerBytes } from '../../base/answer-limit.js';
import type { Trace, Tracer } from '../../generated/node-rpc-v1.js';
import type { CallObserver } from '../../vm/engine.js';
import { stateDiffJson } from '../simulation/state-diff.js';
import type { StateSource } from '../state-source.js';
import { prestateJson, RecordedReads } from '../views/recorded-reads.js';
import { TraceBudget } from '../views/trace-budget.js';
import type { WorldState } from '../world-state.js';
import { CallTree, type FrameEnd, type FrameStart } from './call-tree.js';
import { type CallTreeView, callTreeJson } from './call-tree-json.js';
import { GasProfileCollector } from './gas-profile.js';
import { HostOpList } from './host-op-list.js';

/** Upper bound of the JSON around trace and result in a response, and between a trace's parts. */
const FRAMING = 512;

interface TracePart {
  readonly name: keyof Trace;
  /** Length of its JSON, at least approximately. */
  readonly size: number;
  readonly json: (budget: TraceBudget) => string | undefined;
}

type TracerName = Tracer['type'];

const DEFAULT_TRACERS: ReadonlySet<TracerName> = new Set(['call_tree']);

/** In the order of the interface's members. */
const PART_NAMES = ['call_tree', 'host_ops', 'state_diff', 'prestate', 'gas_profile'] as const;

/** Collects the trace of one execution, in bounded memory. Every tracer has a budget of its own. */
export class TraceRecorder {
  readonly observer: CallObserver;
  readonly #tracers: ReadonlySet<TracerName>;
  readonly #maxBytes: number;
  readonly #budgets: Readonly<Record<(typeof PART_NAMES)[number], TraceBudget>>;
  readonly #tree: CallTree;
  readonly #operations: HostOpList | undefined;
  readonly #profile: GasProfileCollector | undefined;
  #reads: RecordedReads | undefined;
  #transaction: { readonly to: Uint8Array; gasUsed: bigint } | undefined;

  /** @param maxBytes maximum size of the whole trace's JSON, and of what each tracer collects for it */
  constructor(tracers: readonly Tracer[] | undefined, maxBytes: number) {
    const chosen = tracers === undefined ? DEFAULT_TRACERS : new Set(tracers.map(({ type }) => type));
    this.#tracers = chosen;
    this.#maxBytes = maxBytes;
    this.#budgets = {
      call_tree: new TraceBudget(maxBytes),
      host_ops: new TraceBudget(maxBytes),
      state_diff: new TraceBudget(maxBytes),
      prestate: new TraceBudget(maxBytes),
      gas_profile: new TraceBudget(maxBytes),
    };
    const { call_tree, host_ops, gas_profile } = this.#budgets;
    this.#tree = new CallTree(call_tree, chosen.has('call_tree'));
    this.#operations = chosen.has('host_ops') ? new HostOpList(host_ops) : undefined;
    this.#profile = chosen.has('gas_profile') ? new GasProfileCollector(gas_profile) : undefined;
    this.observer = this.#observerOf();
  }

  /** Returns the state to run on: the given one, wrapped if a tracer records reads. */
  watch(source: StateSource): StateSource {
    if (!this.#tracers.has('prestate')) return source;
    this.#reads = new RecordedReads(source, this.#budgets.prestate);
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

  /** Records a call that was refused before anything ran. */
  refused(start: FrameStart, end: FrameEnd): void {
    this.#tree.begin(start);
    this.#tree.end(end);
  }

  /**
   * Returns the JSON of the Trace between `before` and `state`, truncated to the room that a response has left.
   * @param rest length of the rest of the response, in UTF-16 units
   */
  json(state: WorldState, before: StateSource, view: CallTreeView, rest: number): string {
    let left = Math.max(0, Math.min(this.#maxBytes, maxAnswerBytes() - rest - FRAMING));
    let isTruncated = PART_NAMES.some((name) => this.#budgets[name].isExhausted);
    // From the shortest to the longest, each has its share of what is left, so that a long part displaces no other.
    const parts = this.#parts(state, before, view).sort((a, b) => a.size - b.size);
    const texts: Partial<Record<TracePart['name'], string>> = {};
    let waiting = parts.length;
    for (const { name, json } of parts) {
      const budget = new TraceBudget(Math.floor(left / waiting));
      const text = ifItFits(() => json(budget));
      if (text === undefined) budget.exhaust();
      else texts[name] = text;
      left -= budget.used;
      waiting--;
      isTruncated ||= budget.isExhausted;
    }
    let members = '';
    for (const name of PART_NAMES) {
      const text = texts[name];
      if (text !== undefined) members += `"${name}":${text},`;
    }
    return `{${members}"truncated":${isTruncated}}`;
  }

  #parts(state: WorldState, before: StateSource, view: CallTreeView): TracePart[] {
    const parts: TracePart[] = [];
    const add = (name: TracePart['name'], size: number, json: TracePart['json']) =>
      parts.push({ name, size, json });
    const { root } = this.#tree;
    const { call_tree, host_ops, prestate, gas_profile } = this.#budgets;
    if (root !== undefined) add('call_tree', call_tree.used, (budget) => callTreeJson(root, view, budget));
    if (this.#tracers.has('state_diff')) {
      const changes = ifItFits(() => stateDiffJson(state, before));
      const size = changes?.reduce((sum, { length }) => sum + length, 0) ?? 0;
      add('state_diff', size, (budget) => changes && budget.list(changes));
    }
    const profile = this.#profile;
    if (profile !== undefined) {
      add('gas_profile', gas_profile.used, (budget) => profile.json(this.#transaction, view.abiOf, budget));
    }
    const reads = this.#reads;
    if (reads !== undefined) add('prestate', prestate.used, (budget) => prestateJson(reads, budget));
    const list = this.#operations;
    if (list !== undefined) add('host_ops', host_ops.used, (budget) => list.json(budget));
    return parts;
  }

  /** Observes only what is requested: an observer that looks inside calls slows them down. */
  #observerOf(): CallObserver {
    const tree = this.#tree;
    const operations = this.#operations;
    const profile = this.#profile;
    return {
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
            variant: 'observed',
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
function ifItFits<T>(part: () => T): T | undefined {
  try {
    return part();
  } catch (error) {
    if (error instanceof AnswerTooLongError) return undefined;
    throw error;
  }
}
