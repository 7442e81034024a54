import { ClientError, formatHash } from '../../client/client.js';
import type { RangeTx, Tracer } from '../../generated/node-rpc-v1.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { memberTexts, type ResultText } from '../result-text.js';
import { errorNameOf } from '../sampled-outcomes.js';

export type TransactionPlace = Pick<RangeTx, 'height' | 'index' | 'tx_hash'>;

/** A trace in the form of a result line, and its comparison with the receipt. */
export interface TracedTransaction {
  /** `"receipt": …, "trace": …`, the last members of a result line. */
  readonly members: string;
  readonly gas: number;
  /** Status type of the receipt. */
  readonly status: string;
  /** Name of the declared error that it reverted with, if any. */
  readonly errorName?: string;
  /** Descriptions of differences from the receipt; none unless the node is broken. */
  readonly differences: readonly string[];
}

/** The compared fields of a ChainTraceTransactionResult; a transaction's gas is far below 2^53. */
interface TracedValue {
  readonly receipt: TracedEnd;
  readonly trace: { readonly call_tree?: TracedEnd };
}

interface TracedEnd {
  readonly gas_used: number;
  readonly status: { readonly type: string; readonly value?: unknown };
}

const CALL_TREE: Tracer = { type: 'call_tree' };

/** The call that traces a transaction; always with the call tree, because a receipt is compared with it. */
export function traceCall(
  { tx_hash }: Pick<TransactionPlace, 'tx_hash'>,
  tracers: readonly Tracer[],
): { readonly method: string; readonly params: string } {
  const asked = hasCallTree(tracers) ? tracers : [CALL_TREE, ...tracers];
  return {
    method: 'chain_traceTransaction',
    params: rpcTypes.ChainTraceTransactionArgs.toJson({ tx_hash, tracers: [...asked] }),
  };
}

/** Compares a trace with its receipt. @throws ClientError `bad_answer` if a field is missing */
export function readTrace(
  result: ResultText,
  item: TransactionPlace & Pick<RangeTx, 'gas_used'>,
  tracers: readonly Tracer[],
): TracedTransaction {
  const { receipt, trace } = tracedValue(result, item);
  const differences: string[] = [];
  const says = (what: string, traced: unknown, stored: unknown): void => {
    if (traced === stored) return;
    const { height, index, tx_hash: hash } = item;
    differences.push(
      `block ${height}, transaction ${index} (${formatHash(hash)}): ${what} is ${traced}, the receipt says ${stored}`,
    );
  };
  says('gas used', item.gas_used, BigInt(receipt.gas_used));
  const tree = trace.call_tree;
  if (tree !== undefined) {
    says('gas used', tree.gas_used, receipt.gas_used);
    says('status', tree.status.type, receipt.status.type);
  }
  const errorName = errorNameOf(receipt.status);
  return {
    members: membersOf(result.text, tracers),
    gas: receipt.gas_used,
    status: receipt.status.type,
    ...(errorName !== undefined && { errorName }),
    differences,
  };
}

function tracedValue({ value }: ResultText, { tx_hash: hash }: TransactionPlace): TracedValue {
  const { receipt, trace } = (value ?? {}) as Partial<TracedValue>;
  const tree = trace?.call_tree;
  if (isEnd(receipt) && trace && (tree === undefined || isEnd(tree))) return { receipt, trace };
  const lacks = 'lacks gas_used or status where its receipt and calls have them';
  throw new ClientError('bad_answer', `the trace of ${formatHash(hash)} ${lacks}`);
}

function isEnd(end: Partial<TracedEnd> | null | undefined): end is TracedEnd {
  return Number.isSafeInteger(end?.gas_used) && typeof end?.status?.type === 'string';
}

function membersOf(text: string, tracers: readonly Tracer[]): string {
  const members = memberTexts(text);
  const [receipt, trace] = [members.get('receipt'), members.get('trace') ?? '{}'];
  return `"receipt":${receipt},"trace":${hasCallTree(tracers) ? trace : withoutCallTree(trace)}`;
}

function hasCallTree(tracers: readonly Tracer[]): boolean {
  return tracers.some(({ type }) => type === 'call_tree');
}

function withoutCallTree(trace: string): string {
  const others = [...memberTexts(trace)].filter(([name]) => name !== 'call_tree');
  return `{${others.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}
