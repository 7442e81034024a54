import type { ChainTraceCallArgs } from '../../generated/node-rpc-v1.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { LogJsonCache } from '../../ledger/log-json.js';
import type { StateSource } from '../state-source.js';
import type { BatchHead } from '../views/batched-calls.js';
import { type EndedCall, resultJson } from '../views/call-result.js';
import { runViewCall, runViewCallWithin } from '../views/run-view-call.js';
import { openCall, type StateCallParts, viewCallOf, viewContext } from '../views/view-runner.js';
import { WorldState } from '../world-state.js';
import type { FrameStart } from './call-tree.js';
import type { InterfaceLookup } from './call-tree-json.js';
import { TraceRecorder } from './trace-recorder.js';

export interface CallTracerParts extends StateCallParts {
  /** Maximum size of a trace's JSON in bytes. */
  readonly maxTraceBytes: number;
}

const NO_BYTES = new Uint8Array(0);
const ZERO_ADDRESS = new Uint8Array(20);

/**
 * Returns the JSON of the ChainTraceCallResult, of the call as `view_call` would run it.
 * Hot for the call tree alone: guarded by `bench/macro/contract-calls.bench.ts`.
 * @throws CallError, JsonDecodeError, StateUnavailableError
 */
export function traceCall(parts: CallTracerParts, args: ChainTraceCallArgs, head: BatchHead): string {
  const scene = openCall(parts, args, head);
  const recorder = new TraceRecorder(args.tracers, parts.maxTraceBytes);
  const state = new WorldState(recorder.watch(scene.before));
  const context = viewContext(parts, scene, state, recorder.observer);
  const ended = runViewCall(viewCallOf(args, scene.gasLimit), context);
  if (ended.refusal !== undefined) recordRefusal(recorder, args, ended, parts.gas.limitOf(args.gas_limit));
  return tracedJson(ended, recorder, state, scene.before);
}

/**
 * Like {@link traceCall}, without overrides, for the call tree alone, with at most the given gas; undefined if the call
 * needs more, or if its trace might depend on the gas limit.
 */
export function traceCallWithin(
  parts: CallTracerParts,
  maxGas: number,
  args: ChainTraceCallArgs,
  head: BatchHead,
): string | undefined {
  const scene = openCall(parts, args, head);
  const recorder = new TraceRecorder(undefined, parts.maxTraceBytes);
  const state = new WorldState(scene.before);
  const context = viewContext(parts, scene, state, recorder.observer);
  const ended = runViewCallWithin(maxGas, viewCallOf(args, scene.gasLimit), context);
  if (ended === undefined) return undefined;
  if (ended.refusal !== undefined) recordRefusal(recorder, args, ended, scene.gasLimit);
  return tracedJson(ended, recorder, state, scene.before);
}

/** Records the frame of a call that was refused before anything ran. */
function recordRefusal(
  recorder: TraceRecorder,
  { contract, caller, value }: ChainTraceCallArgs,
  { input, refusal }: EndedCall,
  gasLimit: number,
): void {
  const start: FrameStart = {
    kind: 'call',
    from: caller ?? ZERO_ADDRESS,
    to: contract,
    input,
    value: value ?? 0n,
    gasLimit: BigInt(gasLimit),
  };
  const message = refusal === undefined ? {} : { message: refusal };
  recorder.refused(start, { outcome: 'reverted', gasUsed: 0n, output: NO_BYTES, ...message });
}

function tracedJson(
  ended: EndedCall,
  recorder: TraceRecorder,
  state: WorldState,
  before: StateSource,
): string {
  const written = new LogJsonCache();
  const abiOf = rememberingLast(ended.abiOf);
  const result = resultJson({ ...ended, abiOf }, written);
  const view = {
    logPlace: ended.block.logPlace,
    abiOf,
    rootAbis: ended.abi === undefined ? [] : [ended.abi],
    written,
  };
  return `{"result":${result},"trace":${recorder.json(state, before, view, result.length)}}`;
}

/** Caches the last interface of a final state: consecutive frames and events are often of one contract. */
function rememberingLast(abiOf: InterfaceLookup): InterfaceLookup {
  let last: Uint8Array | undefined;
  let abi: ContractAbi | undefined;
  return (contract) => {
    if (contract !== last) abi = abiOf(contract);
    last = contract;
    return abi;
  };
}
