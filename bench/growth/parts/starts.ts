import { setTimeout as pause } from 'node:timers/promises';
import { NodeProcess } from '../../../test/support/nodes/node-process.js';
import { processMemory } from '../../../test/support/nodes/process-memory.js';
import { processCpuSeconds } from '../../support/statistics.js';

/** Enough for the largest chains on a slow machine. */
const READY_MS = 600_000;
/** Time for work that a start leaves for later, such as collecting garbage. */
const REST_MS = 1_000;

export interface MeasuredStart {
  readonly node: NodeProcess;
  /** From spawning the process until it listens. */
  readonly seconds: number;
  /** Processor time until then. */
  readonly cpuSeconds: number;
  /** Resident memory a moment later. */
  readonly residentMiB: number;
}

/** Starts a node on a data directory. */
export async function measuredStart(dataDir: string, flags: readonly string[]): Promise<MeasuredStart> {
  const node = await NodeProcess.start({ dataDir, flags, readyMs: READY_MS });
  const cpuSeconds = processCpuSeconds(node.pid);
  await pause(REST_MS);
  const { residentMiB } = processMemory(node.pid);
  return { node, seconds: node.startMs / 1_000, cpuSeconds, residentMiB };
}

/** Starts and stops a node several times and leaves the last one running. */
export async function measuredStarts(
  dataDir: string,
  flags: readonly string[],
  rounds: number,
): Promise<{ readonly node: NodeProcess; readonly starts: readonly MeasuredStart[] }> {
  const starts: MeasuredStart[] = [];
  for (;;) {
    const start = await measuredStart(dataDir, flags);
    starts.push(start);
    if (starts.length >= rounds) return { node: start.node, starts };
    await start.node.stop();
  }
}
