import { Deferred } from '../../async/deferred.js';
import { settle } from '../../async/maybe-async.js';
import { SlicedWork } from '../../async/sliced-work.js';
import { toError } from '../../base/errors.js';
import type { Config } from '../../config/config.js';
import type { Crypto } from '../../crypto/crypto.js';
import { committedHashes } from '../../execution/block-environment.js';
import {
  INLINE_GAS,
  InlineCalls,
  type InlineKind,
  LONE_INLINE_GAS,
  mayRunInline,
} from '../../execution/calls/inline-calls.js';
import { ContractMachine } from '../../execution/contract-machine.js';
import { Simulator } from '../../execution/simulation/simulator.js';
import { traceCallWithin } from '../../execution/tracing/call-tracer.js';
import { CallGas } from '../../execution/views/call-gas.js';
import type { StateCache } from '../../execution/views/state-cache.js';
import { StateInterfaces } from '../../execution/views/state-interfaces.js';
import { StateReferences } from '../../execution/views/state-reference.js';
import { answerViewCallWithin } from '../../execution/views/view-runner.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import { storedBlob } from '../../ledger/forked-state.js';
import { EncodedResult, type HandlerContext } from '../../rpc/handlers.js';
import type { JsonSource } from '../../rpc/json/json-text.js';
import type { CallHandlers, CallResult } from '../../rpc/methods/calls.js';
import type { RpcMetrics } from '../../rpc/metrics/rpc-metrics.js';
import type { StoreReader } from '../../storage/store.js';
import type { BlsVerifier } from '../../vm/host-crypto.js';
import { FRONT_CODE_BYTES, FRONT_INSTANCES } from '../../vm/thread-shares.js';

/** Time for calls per event loop tick, in milliseconds. A longer one gains nothing, and answers from memory wait for it. */
const TICK_BUDGET_MS = 0.5;
/** Maximum time that calls may take, by the cost of those just run, to be run in order of arrival, in milliseconds. */
const MAX_UNQUEUED_MS = 5;
/** Maximum number of calls in the queue, and of their bytes. */
const MAX_WAITING = 4_096;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** Time without any other request after which a thread runs calls of up to {@link LONE_INLINE_GAS}, in milliseconds. */
const QUIET_MS = 50;

/** No check gets here: see {@link INLINE_GAS}. */
const NO_BLS: BlsVerifier = {
  verify: () => {
    throw new Error('a front thread cannot check BLS signatures');
  },
};

export interface FrontCallsParts {
  readonly config: Config;
  readonly store: StoreReader;
  readonly crypto: Crypto;
  readonly cache: StateCache;
  readonly interfaces: ContractInterfaces;
  readonly heights: () => { readonly tip: bigint; readonly finalized: bigint };
  /** The clock for block timestamps, milliseconds since 1970. */
  readonly now: () => number;
  readonly elsewhere: CallHandlers<InlineKind>;
  readonly metrics: RpcMetrics;
  readonly onFault: (error: unknown) => void;
}

interface InlineCall {
  readonly kind: InlineKind;
  /** Parsed and not decoded. */
  readonly params: object;
  readonly source: JsonSource;
  readonly context: HandlerContext;
  readonly answer: Deferred<EncodedResult | Error>;
}

/**
 * Answers calls of up to {@link INLINE_GAS} in this thread, the others in a worker. Calls run after a tick's requests have
 * been read: those that need no execution are answered first, and the code of each stage stays in the processor's caches.
 * Calls beyond the budget of a tick wait in a queue that is fair between clients.
 */
export class FrontCalls {
  readonly #parts: FrontCallsParts;
  readonly #queue: SlicedWork;
  readonly #gas: CallGas;
  #inline: InlineCalls | undefined;
  #loading: Promise<void> | undefined;
  /** Calls that are not queued by client. */
  #gathered: InlineCall[] = [];
  #count = 0;
  /** Number of HTTP requests other than calls in place, and when it last changed. */
  #others = 0;
  #otherAt = Number.NEGATIVE_INFINITY;

  constructor(parts: FrontCallsParts) {
    const { config, metrics } = parts;
    this.#parts = parts;
    this.#gas = new CallGas(config.maxCallGas);
    this.#queue = new SlicedWork({
      tickBudgetMs: TICK_BUDGET_MS,
      maxWaiting: MAX_WAITING,
      maxWaitingBytes: MAX_WAITING_BYTES,
      maxWaitMs: config.maxCallWaitMs,
      isSynchronous: true,
    });
    metrics.watchQueue('calls', () => this.#queue.size);
  }

  get handlers(): CallHandlers<InlineKind> {
    const answer = (kind: InlineKind) => (params: JsonSource, call: HandlerContext) =>
      this.#answer(kind, params, call);
    return {
      view_call: answer('view_call'),
      tx_simulate: answer('tx_simulate'),
      chain_traceCall: answer('chain_traceCall'),
    };
  }

  #answer(kind: InlineKind, source: JsonSource, context: HandlerContext): CallResult {
    this.#count++;
    const params = source.parsed;
    const granted = context.allowance?.gas;
    // The result must not depend on where a call runs.
    const isSmall = granted !== undefined && granted < INLINE_GAS;
    if (isSmall || !mayRunInline(params)) return this.#parts.elsewhere[kind](source, context);
    const answer = new Deferred<EncodedResult | Error>();
    const call = { kind, params, source, context, answer };
    if (this.#inline !== undefined) this.#gather(call);
    else void this.#load().then(() => this.#gather(call));
    return answer;
  }

  /** Loads the engine. Never rejects: without it, calls run elsewhere. */
  #load(): Promise<void> {
    this.#loading ??= makeInlineCalls(this.#parts, this.#gas).then((made) => {
      this.#inline = made;
    }, this.#parts.onFault);
    return this.#loading;
  }

  #gather(call: InlineCall): void {
    if (this.#queue.size > 0) this.#wait(call);
    else if (this.#gathered.push(call) === 1) setImmediate(this.#runGathered);
  }

  /**
   * Runs calls in order of arrival while all that wait take less than a client's turn in the queue: looking up their
   * clients has a cost.
   */
  readonly #runGathered = (): void => {
    const gathered = this.#gathered;
    const begun = performance.now();
    let done = 0;
    let ms = 0;
    for (; done < gathered.length && ms < TICK_BUDGET_MS; done++) {
      this.#settle(gathered[done] as InlineCall);
      ms = performance.now() - begun;
    }
    const rest = gathered.slice(done);
    const isShort = (rest.length * ms) / done <= MAX_UNQUEUED_MS;
    this.#gathered = isShort ? rest : [];
    if (!isShort) for (const call of rest) this.#wait(call);
    else if (rest.length > 0) setImmediate(this.#runGathered);
  };

  #wait(call: InlineCall): void {
    const { context, source, answer } = call;
    const refuse = (error: Error): void => answer.resolve(error);
    this.#queue.add(context, source.text.length, () => this.#settle(call), refuse);
  }

  /** Never throws. */
  #settle(call: InlineCall): void {
    const { answer } = call;
    const fail = (error: unknown): void => answer.resolve(toError(error));
    try {
      settle<EncodedResult | Error>(this.#run(call), (result) => answer.resolve(result), fail);
    } catch (error) {
      fail(error);
    }
  }

  /** @throws CallError, JsonDecodeError */
  #run({ kind, params, source, context }: InlineCall): CallResult {
    const { heights, now, elsewhere } = this.#parts;
    const inline = this.#inline;
    if (inline === undefined) return elsewhere[kind](source, context);
    const { tip, finalized } = heights();
    const head = { tipHeight: Number(tip), finalizedHeight: Number(finalized), nowMs: now() };
    const { allowance } = context;
    this.#gas.begin(allowance?.gas);
    const begun = performance.now();
    const maxGas = this.#isAlone(begun) && this.#gas.limit >= LONE_INLINE_GAS ? LONE_INLINE_GAS : INLINE_GAS;
    let json: string | undefined;
    let isOver = true;
    try {
      json = inline.answer(kind, params, head, maxGas);
      isOver = json !== undefined;
    } finally {
      // A worker that runs the call again counts its gas.
      allowance?.use(performance.now() - begun, isOver ? Number(this.#gas.used) : 0);
    }
    return json === undefined ? elsewhere[kind](source, context) : new EncodedResult(json);
  }

  /** Returns true if no request but calls of one client came lately. */
  #isAlone(now: number): boolean {
    const others = this.#parts.metrics.httpRequests - this.#count;
    if (others !== this.#others) {
      this.#others = others;
      this.#otherAt = now;
    }
    return now - this.#otherAt > QUIET_MS && this.#queue.clients <= 1;
  }
}

async function makeInlineCalls(parts: FrontCallsParts, gas: CallGas): Promise<InlineCalls> {
  const { config, store, crypto, cache, metrics } = parts;
  // Many front threads never need it.
  const { createContractEngines } = await import('../../vm/contract-engines.js');
  const bounds = { instances: FRONT_INSTANCES, codeBytes: FRONT_CODE_BYTES };
  const engines = createContractEngines(crypto, NO_BLS, bounds);
  const machine = new ContractMachine({
    engines,
    crypto,
    prepared: (key) => store.get('prepared', key),
    committedHash: (height) => committedHashes(store)(height),
    loadsOnDemand: false,
  });
  const interfaces = new StateInterfaces(parts.interfaces, false);
  const states = new StateReferences({ store, crypto, machine, cache });
  const shared = { machine, interfaces, states, gas };
  const simulator = new Simulator({
    ...shared,
    crypto,
    maxPipelineSteps: config.maxPipelineSteps,
    maxBundleTransactions: config.maxBundleTransactions,
  });
  const traced = { ...shared, maxTraceBytes: config.maxTraceBytes };
  return new InlineCalls({
    runners: {
      view_call: (maxGas, args, head) => answerViewCallWithin(shared, maxGas, args, head),
      tx_simulate: (maxGas, args, head) => simulator.answerWithin(maxGas, args, head),
      chain_traceCall: (maxGas, args, head) => traceCallWithin(traced, maxGas, args, head),
    },
    machine,
    interfaces,
    cache,
    idlBytes: (hash) => storedBlob(store, 'idl', hash)?.length,
    onRun: (isAnswered) => {
      if (isAnswered) metrics.callsInline++;
      else metrics.callsOffloaded++;
    },
    now: () => performance.now(),
  });
}
