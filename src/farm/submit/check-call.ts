import type { BlockRef } from '../../generated/node-rpc-v1.js';
import { JsonDecodeError } from '../../idl/codecs/codec-errors.js';
import { rpcMethods } from '../../ledger/rpc-codecs.js';
import { type BadLine, type CallLine, readCallLine } from '../../load/calls/call-line.js';

/** A valid call, and the block that it names, if any. */
export interface CheckedCall extends CallLine {
  readonly at?: BlockRef;
}

/** Checks a line as far as that is possible without a node: its form, and the types of its parameters. */
export function checkCall(text: string): CheckedCall | BadLine {
  const call = readCallLine(text);
  if ('problem' in call) return call;
  const { method, params } = call;
  if (method === 'tx_build_simulate') {
    return { problem: 'tx_build_simulate takes no state; use tx_simulate with "build" instead' };
  }
  let decoded: unknown;
  try {
    decoded = rpcMethods.get(method)?.decodeParams(JSON.parse(params));
  } catch (error) {
    if (error instanceof JsonDecodeError) return { problem: error.message };
    throw error;
  }
  const { at } = decoded as { readonly at?: BlockRef };
  if (at === undefined) return call;
  if (at.type === 'height' || at.type === 'hash') return { ...call, at };
  return {
    problem: `params.at: expected a height or a hash, which all jobs see alike, got ${at.type}; without it, --at counts`,
  };
}
