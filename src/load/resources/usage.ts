import { defined } from '../../base/defined.js';

export interface ThreadUsage {
  /** Share of the time that its event loop did not wait for events, 0 to 1. */
  readonly busy: number;
  /** Processor time per second; absent if the node's system does not provide it. */
  readonly cores?: number;
}

/** How busy the node was over some time. Shares are from 0 to 1; members without a metric are absent. */
export interface NodeUsage {
  /** Processor time of the whole process per second. */
  readonly cores: number;
  /** Resident memory at the end of the time. */
  readonly memory_bytes: number;
  readonly main?: ThreadUsage;
  /** The busiest front thread. */
  readonly front?: ThreadUsage;
  /** Share of the block workers that had a task, at the end of the time. */
  readonly block_workers?: number;
  /** Share of the block workers' time that contract calls took. */
  readonly contracts?: number;
  /** Share of the time in which roots were computed, blocks were written, and blocks were sealed at all. */
  readonly roots?: number;
  readonly commit?: number;
  readonly seal?: number;
  /** Calls of all clients refused per second, for their rate and because the node was overloaded. */
  readonly rate_limited?: number;
  readonly overloaded?: number;
}

export interface GeneratorUsage extends Required<ThreadUsage> {
  readonly memory_bytes: number;
}

export interface SpanUsage {
  readonly generator?: GeneratorUsage;
  /** Absent if the metrics could not be read. */
  readonly node?: NodeUsage;
}

/** Usage over the sending phase: means, but of memory the most. */
export interface Resources extends SpanUsage {
  /** Why there is nothing about the node. */
  readonly node_problem?: string;
  /** Cores of the load generator's machine. */
  readonly generator_cores: number;
  /** Whether the node's address is of the load generator's machine. */
  readonly same_machine: boolean;
}

/** Means over spans of equal length, without those that lack a member; of memory the most. */
export function meanUsage(spans: readonly SpanUsage[]): SpanUsage {
  const generators = present(spans.map(({ generator }) => generator));
  const nodes = present(spans.map(({ node }) => node));
  return {
    ...(generators.length > 0 && {
      generator: {
        busy: mean(generators.map(({ busy }) => busy)) ?? 0,
        cores: mean(generators.map(({ cores }) => cores)) ?? 0,
        memory_bytes: Math.max(...generators.map(({ memory_bytes: bytes }) => bytes)),
      },
    }),
    ...(nodes.length > 0 && { node: meanOfNodes(nodes) }),
  };
}

function meanOfNodes(nodes: readonly NodeUsage[]): NodeUsage {
  const values = (
    ['block_workers', 'contracts', 'roots', 'commit', 'seal', 'rate_limited', 'overloaded'] as const
  ).flatMap((name) => {
    const value = mean(present(nodes.map((node) => node[name])));
    return value === undefined ? [] : [[name, value] as const];
  });
  const threads = (['main', 'front'] as const).flatMap((name) => {
    const all = present(nodes.map((node) => node[name]));
    const [busy, cores] = [mean(all.map((each) => each.busy)), mean(present(all.map((each) => each.cores)))];
    return busy === undefined ? [] : [[name, defined({ busy, cores })] as const];
  });
  return {
    cores: mean(nodes.map(({ cores }) => cores)) ?? 0,
    memory_bytes: Math.max(...nodes.map(({ memory_bytes: bytes }) => bytes)),
    ...Object.fromEntries([...threads, ...values]),
  };
}

function present<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined);
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
