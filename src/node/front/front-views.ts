import type { CallAllowance } from '../../async/caller.js';
import type { Bls, Crypto } from '../../crypto/crypto.js';
import { committedHashes } from '../../execution/block-environment.js';
import { ContractMachine } from '../../execution/contract-machine.js';
import type { BatchHead } from '../../execution/views/batched-calls.js';
import { CallGas } from '../../execution/views/call-gas.js';
import { INLINE_GAS, InlineViews } from '../../execution/views/inline-views.js';
import type { StateCache } from '../../execution/views/state-cache.js';
import { StateInterfaces } from '../../execution/views/state-interfaces.js';
import { StateReferences } from '../../execution/views/state-reference.js';
import { ViewRunner } from '../../execution/views/view-runner.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import { EncodedResult, type MethodHandlers } from '../../rpc/handlers.js';
import type { RpcMetrics } from '../../rpc/metrics/rpc-metrics.js';
import type { StoreReader } from '../../storage/store.js';
import { MIN_CODE_BYTES } from '../../vm/thread-shares.js';

/** Maximum number of contract instances; a cheap call involves a single contract. */
const INSTANCES = 16;
/** Number of view calls after which a thread loads the engine; a thread with fewer calls saves the memory. */
const MIN_CALLS = 16;

/**
 * A signature check alone costs far more than a call in this thread may use, so no check gets here. Pairing libraries
 * are slow to load.
 */
const NO_BLS: Pick<Bls, 'verify'> = {
  verify: () => {
    throw new Error('a front thread cannot check BLS signatures');
  },
};

export interface FrontViewsParts {
  readonly maxCallGas: number;
  readonly store: StoreReader;
  readonly crypto: Crypto;
  readonly cache: StateCache;
  readonly interfaces: ContractInterfaces;
  readonly heights: () => { readonly tip: bigint; readonly finalized: bigint };
  /** Answers in a worker. */
  readonly elsewhere: MethodHandlers['view_call'];
  readonly metrics: RpcMetrics;
  readonly onFault: (error: unknown) => void;
}

/** Answers cheap view calls in this thread, and the others in a worker. */
export function frontViewHandler(parts: FrontViewsParts): MethodHandlers['view_call'] {
  const { heights, elsewhere, onFault } = parts;
  let calls = 0;
  const gas = new CallGas(parts.maxCallGas);
  let views: InlineViews | undefined;
  return (params, call) => {
    calls++;
    if (calls === MIN_CALLS) {
      makeViews(parts, gas).then((made) => {
        views = made;
      }, onFault);
    }
    if (views === undefined || params.parsed === undefined) return elsewhere(params, call);
    const { tip, finalized } = heights();
    const head = { task: 0, tipHeight: Number(tip), finalizedHeight: Number(finalized), nowMs: 0 };
    const { allowance } = call;
    if (allowance !== undefined) {
      const json = limitedAnswer(views, gas, params.parsed, head, allowance);
      return json === undefined ? elsewhere(params, call) : new EncodedResult(json);
    }
    gas.begin();
    const json = views.answer(params.parsed, head);
    return json === undefined ? elsewhere(params, call) : new EncodedResult(json);
  };
}

/** Answers a call whose token limits gas or time, unless it needs a worker. */
function limitedAnswer(
  views: InlineViews,
  gas: CallGas,
  params: unknown,
  head: BatchHead,
  allowance: CallAllowance,
): string | undefined {
  // The result must not depend on where a call runs.
  if (allowance.gas !== undefined && allowance.gas < INLINE_GAS) return undefined;
  const begun = performance.now();
  gas.begin(allowance.gas);
  try {
    return views.answer(params, head);
  } finally {
    allowance.use(performance.now() - begun, Number(gas.used));
  }
}

async function makeViews(parts: FrontViewsParts, gas: CallGas): Promise<InlineViews> {
  const { store, crypto, cache, metrics } = parts;
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
  return new InlineViews({
    runner: new ViewRunner({ machine, interfaces, states, gas }),
    machine,
    interfaces,
    cache,
    idlBytes: (hash) => store.get('idl', hash)?.length,
    onRun: (isAnswered) => {
      if (isAnswered) metrics.viewsInline++;
      else metrics.viewsOffloaded++;
    },
    now: () => performance.now(),
  });
}
