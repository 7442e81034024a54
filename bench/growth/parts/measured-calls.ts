import type { NodeProcess } from '../../../test/support/nodes/node-process.js';
import type { RequestsTask, TimedAnswers } from '../../load/request-task.js';
import type { ThreadLoad } from '../../support/request-load.js';
import { processCpuSeconds } from '../../support/statistics.js';

export interface MeasuredCalls extends TimedAnswers {
  /** Answers per second. */
  readonly rate: number;
  /** Processor time of all threads of the node per answer, in µs. */
  readonly cpuMicros: number;
}

/** Sends calls to a node and reads its processor time beside them. */
export async function measureCalls(
  load: ThreadLoad,
  node: Pick<NodeProcess, 'url' | 'pid'>,
  task: Omit<RequestsTask, 'url'>,
): Promise<MeasuredCalls> {
  const before = processCpuSeconds(node.pid);
  const times = await load.time({ ...task, url: node.url });
  const cpuSeconds = processCpuSeconds(node.pid) - before;
  return {
    ...times,
    rate: times.answers / times.seconds,
    cpuMicros: (cpuSeconds * 1e6) / times.answers,
  };
}
