import { Counter, Gauge, Histogram, type Metric } from 'prom-client';
import { watchConsensus } from './consensus-metrics.js';
import { watchFollower } from './follow-metrics.js';
import { watchMesh } from './mesh-metrics.js';
import { NodeMetrics } from './node-metrics.js';
import { type ServiceGauges, watchQuotaStore, watchServices } from './service-metrics.js';

export interface DeclaredMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Without `le`. */
  readonly labels: readonly string[];
}

/** Every metric of a node in any role, sorted by name; for the documentation and its tests. Needs no node. */
export function declaredMetrics(): readonly DeclaredMetric[] {
  const metrics = new NodeMetrics();
  metrics.stop();
  metrics.describeBuild('', new Map());
  metrics.chain.watch(unread());
  watchServices(metrics.registry, { ...unread<ServiceGauges>(), pools: NO_POOLS });
  watchConsensus(metrics.registry, unread());
  watchFollower(metrics.registry, unread());
  watchMesh(metrics.registry, unread());
  watchQuotaStore(metrics.registry, unread());
  const declared = metrics.registry.getMetricsAsArray() as unknown as readonly Declared[];
  return declared
    .map((metric) => {
      const { name, help, labelNames } = metric;
      return { name, type: typeOf(metric), help, labels: labelNames.filter((label) => label !== 'le') };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The library declares a metric's own description as private. */
type Declared = Metric & {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
};

const NO_POOL = { load: 0, workers: 0 };
const NO_POOLS = { calls: NO_POOL, reads: NO_POOL, blocks: NO_POOL };

function typeOf(metric: Metric): DeclaredMetric['type'] {
  if (metric instanceof Counter) return 'counter';
  if (metric instanceof Gauge) return 'gauge';
  if (metric instanceof Histogram) return 'histogram';
  throw new Error('a metric of an unknown type');
}

/** Stands in for a source whose values are never read. */
function unread<T extends object>(): T {
  return {} as T;
}
