import assert from 'node:assert/strict';
import type { JsonValue } from '../../../src/idl/json-value.js';
import type { RpcClient } from '../../outside/rpc.js';

/** The fields of a call frame used by the tests, as in the response. */
export interface FrameJson {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly method?: string;
  readonly input: string;
  readonly args?: JsonValue;
  readonly value: string;
  readonly gas_limit: number;
  readonly gas_used: number;
  readonly status: { readonly type: string; readonly value?: JsonValue };
  readonly output: string;
  readonly decoded?: JsonValue;
  readonly logs: readonly { readonly [member: string]: JsonValue }[];
  readonly calls: readonly FrameJson[];
}

export interface GasProfileJson {
  readonly functions: readonly {
    readonly contract: string;
    readonly function: string;
    readonly self_gas: number;
    readonly total_gas: number;
    readonly calls: number;
  }[];
  readonly folded: readonly string[];
}

export interface TraceJson {
  readonly call_tree?: FrameJson;
  readonly host_ops?: readonly {
    readonly frame: number;
    readonly name: string;
    readonly gas: number;
    readonly args: { readonly [name: string]: JsonValue };
    readonly result?: JsonValue;
  }[];
  readonly state_diff?: readonly {
    readonly address: string;
    readonly balance?: { readonly before: string; readonly after: string };
    readonly slots: readonly { readonly slot: string; readonly before?: string; readonly after?: string }[];
    readonly code_hash?: string;
  }[];
  readonly prestate?: readonly {
    readonly address: string;
    readonly balance?: string;
    readonly code?: string;
    readonly slots?: readonly { readonly slot: string; readonly value?: string }[];
  }[];
  readonly gas_profile?: GasProfileJson;
  readonly truncated: boolean;
}

export interface ReceiptJson {
  readonly tx_hash: string;
  readonly height: number;
  readonly index: number;
  readonly status: { readonly type: string; readonly value?: JsonValue };
  readonly gas_used: number;
  readonly fee: string;
  readonly output: string;
  readonly logs: readonly { readonly [member: string]: JsonValue }[];
}

export const ALL_TRACERS = ['call_tree', 'host_ops', 'state_diff', 'prestate', 'gas_profile'] as const;

/** Tracers in argument form. */
export function tracers(...names: readonly (typeof ALL_TRACERS)[number][]) {
  return names.map((type) => ({ type }));
}

export async function traceTransaction(
  { rpc }: { readonly rpc: RpcClient },
  hash: string,
  names: readonly (typeof ALL_TRACERS)[number][] = ['call_tree'],
): Promise<{ readonly receipt: ReceiptJson; readonly trace: TraceJson }> {
  return (await rpc.call('chain_traceTransaction', {
    tx_hash: hash,
    tracers: tracers(...names),
  })) as { readonly receipt: ReceiptJson; readonly trace: TraceJson };
}

export async function traceCall(
  { rpc }: { readonly rpc: RpcClient },
  call: object,
  names: readonly (typeof ALL_TRACERS)[number][] = ['call_tree'],
): Promise<{
  readonly result: {
    readonly status: { readonly type: string };
    readonly gas_used: number;
    readonly output: string;
  };
  readonly trace: TraceJson;
}> {
  const answer = await rpc.call('chain_traceCall', { ...call, tracers: tracers(...names) });
  return answer as Awaited<ReturnType<typeof traceCall>>;
}

/** The call tree, which must be present. */
export function treeOf({ call_tree }: TraceJson): FrameJson {
  return call_tree ?? assert.fail('no call tree');
}

/** All frames in order of entry. */
export function framesOf(root: FrameJson): FrameJson[] {
  return [root, ...root.calls.flatMap(framesOf)];
}

/** Total gas of the folded stacks. */
export function foldedGas(trace: TraceJson): number {
  const { folded } = trace.gas_profile ?? assert.fail('no gas profile');
  return folded.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
