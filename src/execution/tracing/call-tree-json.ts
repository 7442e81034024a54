import { sameBytes } from '../../base/same-bytes.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { toHex } from '../../idl/hex.js';
import { addressName } from '../../ledger/address-names.js';
import { revertOf, tryDecode } from '../../ledger/contract-decoding.js';
import { type LogJsonCache, type LogPositionJson, logJson } from '../../ledger/log-json.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { TraceBudget } from '../views/trace-budget.js';
import type { FrameEnd, TracedFrame, TracedLog } from './call-tree.js';

export type InterfaceLookup = (contract: Uint8Array) => ContractAbi | undefined;

export interface CallTreeView {
  readonly logPlace: LogPositionJson;
  readonly abiOf: InterfaceLookup;
  /** The interfaces whose errors the outermost frame may have reverted with. */
  readonly rootAbis: readonly ContractAbi[];
  /** Present if the rest of the response contains the same logs. */
  readonly written?: LogJsonCache;
  /** The interface of the outermost frame's code, if it differs from the one at its address. */
  readonly rootAbi?: ContractAbi;
}

const SUCCESS = '{"type":"success","value":null}';

/**
 * Returns the JSON of a CallFrame as its codec writes it, from parts that need no check; undefined if not even the
 * outermost frame fits the budget. Hot for small trees: guarded by `bench/compare`.
 */
export function callTreeJson(root: TracedFrame, view: CallTreeView, budget: TraceBudget): string | undefined {
  const abis = { abi: view.rootAbi ?? interfaceAt(root, view), errorAbis: view.rootAbis };
  return frameJson(root, abis, view, budget);
}

function interfaceAt({ start: { kind, to } }: TracedFrame, { abiOf }: CallTreeView): ContractAbi | undefined {
  return kind === 'transfer' || kind === 'batch' || kind === 'sealed' ? undefined : abiOf(to);
}

function frameJson(
  frame: TracedFrame,
  { abi, errorAbis }: { readonly abi: ContractAbi | undefined; readonly errorAbis: readonly ContractAbi[] },
  view: CallTreeView,
  budget: TraceBudget,
): string | undefined {
  const { start, end } = frame;
  const called = abi?.functionOf(start.input);
  const method = called === undefined ? '' : `"method":${called.nameText},`;
  const args = called === undefined ? undefined : tryDecode(() => called.argumentsText(start.input));
  const isSuccess = end.outcome === 'success';
  const decoded =
    isSuccess && called !== undefined ? tryDecode(() => called.resultText(end.output)) : undefined;
  const head = `{"kind":"${start.kind}","from":"0x${addressName(start.from)}","to":"0x${addressName(start.to)}",${method}"input":"0x${toHex(start.input)}"`;
  const given = args === undefined ? '' : `,"args":${args}`;
  const status = isSuccess ? SUCCESS : statusJson(end, errorInterfaces(frame, errorAbis, view));
  const shown = decoded === undefined ? '' : `,"decoded":${decoded}`;
  const rest = `,"value":"${start.value}","gas_limit":${start.gasLimit},"gas_used":${end.gasUsed},"status":${status},"output":"0x${toHex(end.output)}"${shown}`;
  // The frame's bytes include those that close its lists.
  if (!budget.take(head.length + given.length + rest.length + 32)) return undefined;
  let json = `${head}${given}${rest},"logs":[`;
  let separator = '';
  for (const log of frame.logs) {
    const text = tracedLogJson(log, view);
    if (!budget.take(text.length + 1)) break;
    json += separator + text;
    separator = ',';
  }
  json += '],"calls":[';
  separator = '';
  for (const call of frame.calls) {
    const callAbi = interfaceAt(call, view);
    const text = frameJson(
      call,
      { abi: callAbi, errorAbis: callAbi === undefined ? [] : [callAbi] },
      view,
      budget,
    );
    if (text === undefined) break;
    json += separator + text;
    separator = ',';
  }
  return `${json}]}`;
}

/** Returns the interface of the contract that raised the revert data, followed by the frame's own. */
function errorInterfaces(
  frame: TracedFrame,
  own: readonly ContractAbi[],
  view: CallTreeView,
): readonly ContractAbi[] {
  const raiser = raiserOf(frame);
  const abi = raiser === frame ? undefined : interfaceAt(raiser, view);
  return abi === undefined ? own : [abi, ...own];
}

/** Returns the innermost frame that reverted with the same data, as contracts pass on the reverts of their callees. */
function raiserOf(frame: TracedFrame): TracedFrame {
  const { outcome, output } = frame.end;
  if (outcome !== 'reverted' || output.length === 0) return frame;
  const inner = frame.calls.findLast(
    ({ end }) => end.outcome === 'reverted' && sameBytes(end.output, output),
  );
  return inner === undefined ? frame : raiserOf(inner);
}

/** Returns the JSON of the ExecStatus of a frame that did not succeed. */
function statusJson({ outcome, output, message, trap }: FrameEnd, abis: readonly ContractAbi[]): string {
  switch (outcome) {
    case 'success':
      return SUCCESS;
    case 'out_of_gas':
      return '{"type":"out_of_gas","value":null}';
    case 'reverted':
      return rpcTypes.ExecStatus.toJson({ type: 'reverted', value: revertOf(abis, output, message) });
    case 'trapped':
      return rpcTypes.ExecStatus.toJson({
        type: 'trapped',
        value: {
          kind: trap?.kind ?? 'unknown',
          message: message ?? trap?.message ?? '',
          backtrace: trap?.backtrace ?? [],
        },
      });
    case 'invalid':
      return rpcTypes.ExecStatus.toJson({ type: 'invalid', value: message ?? '' });
  }
}

function tracedLogJson(
  { log, index, position }: TracedLog,
  { logPlace, abiOf, written }: CallTreeView,
): string {
  const abi = abiOf(log.contract);
  const json =
    written === undefined ? logJson(log, logPlace, index, abi) : written.json(log, logPlace, index, abi);
  return `${json.slice(0, -1)},"position":${position}}`;
}
