import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { RpcClient } from '../../outside/rpc.js';
import { nodeStatus } from '../../outside/traffic.js';
import type { NodeProcess } from '../nodes/node-process.js';
import { forgetPeak, processMemory } from '../nodes/process-memory.js';
import { type BlockIntervals, blockIntervals } from './block-intervals.js';
import type { FloodCounts } from './flood.js';
import type { FloodTask } from './flood-worker.js';
import type { FloodWorld } from './flood-world.js';
import type { HonestClient, HonestReport } from './honest-client.js';
import { LongestTicks, type TickDurations } from './longest-ticks.js';
import { waitForMemoryReturn } from './memory-return.js';

export interface FloodRunOptions {
  readonly node: Pick<NodeProcess, 'url' | 'pid' | 'stop'>;
  readonly world: FloodWorld;
  /** A client that is not part of the flood. */
  readonly honest: HonestClient;
  readonly name: string;
  /** Duration of the flood. */
  readonly seconds: number;
  /** Duration of the honest client's measurement before the flood. */
  readonly restSeconds: number;
  /** Figures of an honest client at rest, in place of that measurement. */
  readonly atRest?: HonestReport | undefined;
  /** Time limit for the node's recovery. */
  readonly recoverySeconds: number;
  /** Duration of an honest client's measurement after the flood, which is repeated until all is as before; default 1. */
  readonly probeSeconds?: number;
  /** A p99 of `status` that counts as recovered, however fast it was at rest; default 50. */
  readonly asBeforeMs?: number;
  /** Floods the node once more afterwards and sends SIGTERM during this second flood; default false. */
  readonly thenEnd?: boolean;
}

export interface FloodReport {
  readonly flood: string;
  readonly counts: FloodCounts;
  /** Figures of an honest client before the flood, and during it. */
  readonly atRest: HonestReport;
  readonly during: HonestReport;
  readonly blocks: BlockIntervals;
  /** The node's own figures. */
  readonly turns: TickDurations;
  readonly restMiB: number;
  readonly peakMiB: number;
  /** Seconds from the flood's end to full recovery; absent if it took too long. */
  readonly recoveredSeconds?: number;
  /** Seconds from the flood's end until resident memory is back, see `memory-return.ts`; absent if that takes too long. */
  readonly memoryBackSeconds?: number;
  /** Milliseconds from SIGTERM in a second flood to the end of the process; absent if none was sent. */
  readonly endedMs?: number;
}

/** Duration of the flood before SIGTERM. */
const FLOODED_MS = 1_500;
/** Recovered means a p99 of `status` of at most three times that at rest, or of a fixed limit in milliseconds. */
const AS_BEFORE_TIMES = 3;
const AS_BEFORE_MS = 50;

/** Runs a flood beside an honest client, and watches the node until it has recovered. */
export async function runFlood(options: FloodRunOptions): Promise<FloodReport> {
  const { node, world, honest, name, seconds, restSeconds, recoverySeconds } = options;
  const { url, pid } = node;
  const worker = new Worker(new URL('./flood-worker.js', import.meta.url), {
    workerData: { url, world, name, seconds } satisfies FloodTask,
  });
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  failed.catch(() => undefined);
  try {
    await Promise.race([once(worker, 'message'), failed]);
    const atRest = options.atRest ?? (await measured(honest, restSeconds));
    forgetPeak(pid);
    const restMiB = processMemory(pid).residentMiB;
    const turns = await LongestTicks.watch(url);
    const fromHeight = await tipOf(url);
    await honest.begin();
    const ended = once(worker, 'message') as Promise<[FloodCounts]>;
    worker.postMessage('go');
    const [counts] = await Promise.race([ended, failed]);
    const end = performance.now();
    const endMs = Date.now();
    const during = await honest.finish();
    const longest = await turns.finish();
    const peakMiB = processMemory(pid).peakMiB;
    const deadline = end + recoverySeconds * 1_000;
    const [recovered, back] = await Promise.all([
      recovery(options, atRest, deadline),
      waitForMemoryReturn(pid, restMiB, deadline),
    ]);
    const report = {
      flood: name,
      counts,
      atRest,
      during,
      blocks: await blockIntervals(url, fromHeight, endMs),
      turns: longest,
      restMiB,
      peakMiB,
      ...(recovered !== undefined && { recoveredSeconds: (recovered - end) / 1_000 }),
      ...(back !== undefined && { memoryBackSeconds: (back - end) / 1_000 }),
    };
    if (options.thenEnd !== true) return report;
    worker.postMessage('go');
    await sleep(Math.min(FLOODED_MS, seconds * 500));
    const { ms: endedMs } = await node.stop('SIGTERM');
    return { ...report, endedMs };
  } finally {
    await worker.terminate();
  }
}

async function measured(honest: HonestClient, seconds: number): Promise<HonestReport> {
  await honest.begin();
  await sleep(seconds * 1_000);
  return await honest.finish();
}

/** Time of recovery: an honest client's whole round was answered, and `status` as fast as at rest. */
async function recovery(
  options: FloodRunOptions,
  atRest: HonestReport,
  deadline: number,
): Promise<number | undefined> {
  const { honest, asBeforeMs = AS_BEFORE_MS, probeSeconds = 1 } = options;
  const allowedMs = Math.max(asBeforeMs, AS_BEFORE_TIMES * atRest.groups.status.p99Ms);
  for (;;) {
    const begin = performance.now();
    const { groups } = await measured(honest, probeSeconds);
    const isAnswered = Object.values(groups).every(({ sent, answered }) => sent > 0 && answered === sent);
    if (isAnswered && groups.status.p99Ms <= allowedMs) return begin;
    if (performance.now() > deadline) return undefined;
  }
}

async function tipOf(url: string): Promise<number> {
  const rpc = new RpcClient(url);
  try {
    return Number((await nodeStatus(rpc)).tip.height);
  } finally {
    rpc.close();
  }
}
