import type { TickClock } from '../../async/tick-clock.js';
import type { Config } from '../../config/config.js';
import type { Crypto } from '../../crypto/crypto.js';
import { committedHashes } from '../../execution/block-environment.js';
import { INLINE_GAS, InlineCalls, type InlineKind } from '../../execution/calls/inline-calls.js';
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
import { EncodedResult, type Handler } from '../../rpc/handlers.js';
import type { JsonSource } from '../../rpc/json/json-text.js';
import type { CallHandlers } from '../../rpc/methods/calls.js';
import type { RpcMetrics } from '../../rpc/metrics/rpc-metrics.js';
import type { StoreReader } from '../../storage/store.js';
import type { BlsVerifier } from '../../vm/host-crypto.js';
import { MIN_CODE_BYTES } from '../../vm/thread-shares.js';

/** Maximum number of contract instances; a cheap call involves a single contract. */
const INSTANCES = 16;
/**
 * Simulations and traces take about twice as much of this thread as a call that it hands over in a batch. They run in it
 * only while few calls are in workers and event loop ticks are short, in milliseconds; for a while after a busy moment
 * they all go to workers, because small batches cost more than either.
 */
const MAX_WAITING = 12;
const MAX_TICK_MS = 0.8;
const BUSY_MS = 50;
/**
 * Time that calls may run in this thread in one tick, in milliseconds; the rest go to workers, whose queue is fair
 * between clients. Every connection can have a call of {@link INLINE_GAS} in the same tick.
 */
const TICK_BUDGET_MS = 6;
/** Number of calls after which a thread loads the engine; a thread with fewer calls saves the memory. */
const MIN_CALLS = 16;

/** No check gets here: one signature alone costs far more than a call in this thread may use. */
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
  readonly tick: TickClock;
  /** Returns the number of this thread's calls that wait for a worker or run in one. */
  readonly waiting: () => number;
  readonly interfaces: ContractInterfaces;
  readonly heights: () => { readonly tip: bigint; readonly finalized: bigint };
  /** The clock for block timestamps, milliseconds since 1970. */
  readonly now: () => number;
  readonly elsewhere: CallHandlers<InlineKind>;
  readonly metrics: RpcMetrics;
  readonly onFault: (error: unknown) => void;
}

/** Answers cheap calls in this thread, and the others in a worker. */
export function frontCallHandlers(parts: FrontCallsParts): CallHandlers<InlineKind> {
  const { tick, waiting, heights, elsewhere, onFault } = parts;
  let count = 0;
  const gas = new CallGas(parts.config.maxCallGas);
  let inline: InlineCalls | undefined;
  let busyUntil = 0;
  const spent = new TickTime();
  const isBusy = (kind: InlineKind) => {
    if (kind === 'view_call') return spent.ms > TICK_BUDGET_MS;
    const now = performance.now();
    if (waiting() >= MAX_WAITING || tick.elapsedMs() > MAX_TICK_MS) busyUntil = now + BUSY_MS;
    return now < busyUntil;
  };
  const answer =
    (kind: InlineKind): Handler<JsonSource, never> =>
    (params, call) => {
      count++;
      if (count === MIN_CALLS) {
        makeInlineCalls(parts, gas).then((made) => {
          inline = made;
        }, onFault);
      }
      if (inline === undefined || params.parsed === undefined || isBusy(kind)) {
        return elsewhere[kind](params, call);
      }
      const { tip, finalized } = heights();
      const head = {
        task: 0,
        tipHeight: Number(tip),
        finalizedHeight: Number(finalized),
        nowMs: parts.now(),
      };
      const { allowance } = call;
      // The result must not depend on where a call runs.
      if (allowance?.gas !== undefined && allowance.gas < INLINE_GAS) return elsewhere[kind](params, call);
      const begun = performance.now();
      gas.begin(allowance?.gas);
      let json: string | undefined;
      try {
        json = inline.answer(kind, params.parsed, head);
      } finally {
        const ms = performance.now() - begun;
        spent.add(ms);
        allowance?.use(ms, Number(gas.used));
      }
      return json === undefined ? elsewhere[kind](params, call) : new EncodedResult(json);
    };
  return {
    view_call: answer('view_call'),
    tx_simulate: answer('tx_simulate'),
    chain_traceCall: answer('chain_traceCall'),
  };
}

/** Time that this thread spent on calls in the current event loop tick. */
class TickTime {
  #ms = 0;

  get ms(): number {
    return this.#ms;
  }

  add(ms: number): void {
    if (this.#ms === 0) {
      setImmediate(() => {
        this.#ms = 0;
      });
    }
    this.#ms += ms;
  }
}

async function makeInlineCalls(parts: FrontCallsParts, gas: CallGas): Promise<InlineCalls> {
  const { config, store, crypto, cache, metrics } = parts;
  // Many front threads never need it.
  const { createContractEngines } = await import('../../vm/contract-engines.js');
  const bounds = { instances: INSTANCES, codeBytes: MIN_CODE_BYTES };
  const engines = createContractEngines(crypto, NO_BLS, bounds);
  const machine = new ContractMachine({
    engines,
    crypto,
    prepared: (key) => store.get('prepared', key),
    committedHash: (height) => committedHashes(store)(height),
  });
  const interfaces = new StateInterfaces(parts.interfaces);
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
