import type { LedgerLog } from '../../generated/ledger.js';
import type { ExecStatus } from '../../generated/node-rpc-v1.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { BorshError, JsonEncodeError } from '../../idl/codecs/codec-errors.js';
import { toHex } from '../../idl/hex.js';
import { revertOf } from '../../ledger/contract-decoding.js';
import { type LogJsonCache, logsJson } from '../../ledger/log-json.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { CallOutcome } from '../../vm/engine.js';
import type { StateBlock } from './state-reference.js';

export interface EndedCall {
  readonly outcome: CallOutcome;
  /** Why the call never reached the contract. */
  readonly refusal?: string;
  readonly block: StateBlock;
  readonly logs: readonly LedgerLog[];
  readonly input: Uint8Array;
  readonly abi: ContractAbi | undefined;
  /** The contract that raised the revert data, if it is a nested one. */
  readonly raisedBy: Uint8Array | undefined;
  readonly abiOf: (contract: Uint8Array) => ContractAbi | undefined;
}

/** The JSON of the ViewCallResult. Hot for a success: guarded by `bench/view-call.bench.ts`. */
export function resultJson(ended: EndedCall, written?: LogJsonCache): string {
  const { outcome, block } = ended;
  if (outcome.status === 'success') return successJson(ended, written);
  return rpcTypes.ViewCallResult.toJson({
    status: statusOf(ended),
    output: outcome.output,
    gas_used: outcome.gasUsed,
    height: block.env.height,
    block_hash: block.hash,
    logs: [],
  });
}

/** Returns the JSON that the codec of ViewCallResult writes, assembled from parts that need no check. */
function successJson(ended: EndedCall, written: LogJsonCache | undefined): string {
  const { outcome, block, logs, abiOf } = ended;
  const decoded = decodedOutput(ended);
  const shown = decoded === undefined ? '' : `"decoded":${decoded},`;
  const events = logs.length === 0 ? '[]' : logsJson(logs, block.logPlace, abiOf, written);
  return `{"status":{"type":"success","value":null},"output":"0x${toHex(outcome.output)}",${shown}"gas_used":${outcome.gasUsed},${block.json},"logs":${events}}`;
}

/** Returns the JSON text of the decoded output, or undefined if there is none or it does not match the interface. */
function decodedOutput({ abi, input, outcome }: EndedCall): string | undefined {
  try {
    return abi?.functionOf(input)?.resultText(outcome.output);
  } catch (error) {
    if (error instanceof BorshError || error instanceof JsonEncodeError) return undefined;
    throw error;
  }
}

function statusOf({ outcome, abi, abiOf, raisedBy, refusal }: EndedCall): ExecStatus {
  const { status, output, trap } = outcome;
  switch (status) {
    case 'success':
    case 'out_of_gas':
      return { type: status };
    case 'reverted':
      return { type: 'reverted', value: revertOf(known(raisedBy && abiOf(raisedBy), abi), output, refusal) };
    case 'trapped':
      return {
        type: 'trapped',
        value: {
          kind: trap?.kind ?? 'unknown',
          message: trap?.message ?? '',
          backtrace: trap?.backtrace ?? [],
        },
      };
  }
}

function known(...abis: readonly (ContractAbi | undefined)[]): ContractAbi[] {
  return abis.filter((abi) => abi !== undefined);
}
