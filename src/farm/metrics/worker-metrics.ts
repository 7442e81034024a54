import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { FarmWorker, WorkerTotals } from '../worker/farm-worker.js';
import { type MetricsServer, serveMetrics } from './metrics-server.js';

const TOTALS: Readonly<Record<keyof WorkerTotals, string>> = {
  jobs: 'jobs done, whether their results counted or another attempt was faster',
  calls: 'calls made',
  failed: 'calls with an error that every node would give',
  undetermined: 'calls with an error that depends on the moment, such as a timeout',
  disagreements: 'jobs with results other than those of another worker',
  overloads: 'answers of nodes that had too much to do',
};

/** Serves the metrics of a worker. @throws FarmError bad_input */
export function serveWorkerMetrics(
  worker: FarmWorker,
  place: { readonly host: string; readonly port: number },
): Promise<MetricsServer> {
  return serveMetrics(workerMetrics(worker), place);
}

function workerMetrics(worker: FarmWorker): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'heddle_farm_' });
  for (const [member, help] of Object.entries(TOTALS)) {
    new Counter({
      name: `heddle_farm_${member}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(worker.totals[member as keyof WorkerTotals]);
      },
    });
  }
  const labelNames = ['node'] as const;
  new Gauge({
    name: 'heddle_farm_calls_in_flight',
    help: 'calls in flight',
    registers,
    labelNames,
    collect() {
      for (const { node } of worker.shifts) this.set({ node: node.name }, node.limit.inFlight);
    },
  });
  new Gauge({
    name: 'heddle_farm_calls_allowed',
    help: 'limit of calls in flight',
    registers,
    labelNames,
    collect() {
      for (const { node } of worker.shifts) this.set({ node: node.name }, node.limit.allowed);
    },
  });
  new Gauge({
    name: 'heddle_farm_node_up',
    help: '1 while a node takes all jobs',
    registers,
    labelNames,
    collect() {
      for (const { node, problem } of worker.shifts) this.set({ node: node.name }, problem === '' ? 1 : 0);
    },
  });
  return registry;
}
