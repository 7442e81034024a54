import { ClientError, formatHash } from '../../client/client.js';
import type { RangeTx, Tracer } from '../../generated/node-rpc-v1.js';
import type { CallFailure } from '../../load/calls/ask-call.js';
import { workInOrder } from '../../load/ordered-work.js';
import { rangeTransactions } from '../../load/traces/range-transactions.js';
import { readTrace, traceCall } from '../../load/traces/traced-transaction.js';
import { type FarmNode, NodeAwayError } from '../node/farm-node.js';
import type { JobData, Pin } from '../run/run-record.js';
import type { JobRecorder, RecordedCall } from './job-recorder.js';

/** Traces of one job in flight at once: each may hold 16 MiB. */
const MAX_TRACES = 64;

export interface TraceWork {
  readonly node: FarmNode;
  readonly blocks: NonNullable<JobData['traces']>;
  readonly tracers: readonly Tracer[];
  /** The last block of the run, which names the chain. */
  readonly pin: Pin;
  readonly recorder: JobRecorder;
  readonly signal: AbortSignal;
}

/**
 * Traces the transactions of a job, compares each with its receipt, and records the traces in order.
 * @throws NodeAwayError, or the signal's reason
 */
export async function runTraceJob(work: TraceWork): Promise<void> {
  const { node, blocks, recorder, signal } = work;
  await workInOrder<RangeTx, RecordedCall>({
    items: transactionsOf(node, blocks),
    concurrency: Math.min(MAX_TRACES, node.concurrency),
    signal,
    work: (item, place) => trace(work, item, place),
    sizeOf: ({ text }) => text.length,
    settle: async (done) => {
      if (done !== null) await recorder.add(done);
    },
  });
}

async function* transactionsOf(
  node: FarmNode,
  { from, to, places }: TraceWork['blocks'],
): AsyncGenerator<RangeTx> {
  const items = rangeTransactions(
    { get_txs_in_range: (args) => node.ask((client) => client.get_txs_in_range(args)) },
    BigInt(from),
    BigInt(to),
  );
  for await (const item of items) {
    if (places === undefined || (item.index >= places.first && item.index <= places.last)) yield item;
  }
}

async function trace(
  { node, tracers, pin, signal }: TraceWork,
  item: RangeTx,
  line: number,
): Promise<RecordedCall> {
  const { height, index, tx_hash: hash } = item;
  const head = `{"height":${height},"index":${index},"tx_hash":"${formatHash(hash)}"`;
  const { end, timeUs, isUndetermined } = await node.call({ ...traceCall(item, tracers), pin }, signal);
  const failed = (failure: CallFailure): RecordedCall => ({
    text: `${head},"error":${JSON.stringify(failure)}}`,
    line,
    timeUs,
    isUndetermined,
    end: { failure },
  });
  if ('failure' in end) return failed(end.failure);
  const traced = readOrLeave(node, () => readTrace(end.result, item, tracers));
  const [difference] = traced.differences;
  if (difference !== undefined) return failed({ kind: 'differs_from_receipt', message: difference });
  const { status, gas, errorName } = traced;
  const error = errorName === undefined ? '' : `,"error_name":"${errorName}"`;
  return {
    text: `${head}${error},${traced.members}}`,
    line,
    timeUs,
    isUndetermined,
    end: { status, gasUsed: BigInt(gas) },
  };
}

/** Reads an answer; a malformed one leaves the job to other nodes. @throws NodeAwayError */
function readOrLeave<T>(node: FarmNode, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw new NodeAwayError('refuses', `${node.name}: ${error.message}`, { cause: error });
  }
}
