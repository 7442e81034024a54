import { Gauge, Registry } from 'prom-client';
import type { RunStore } from '../run/run-store.js';
import { type RunStatus, readStatuses } from '../status/run-status.js';

const GAUGES: readonly (readonly [name: string, help: string, value: (status: RunStatus) => number])[] = [
  ['jobs', 'jobs of a run', ({ progress }) => progress.jobs],
  ['jobs_done', 'jobs with results', ({ progress }) => progress.done],
  ['jobs_waiting', 'jobs that wait', ({ waiting }) => waiting],
  ['jobs_active', 'jobs in progress', ({ active }) => active],
  ['jobs_failed', 'jobs that have been given up', ({ failedJobs }) => failedJobs],
  ['calls_done', 'calls with results', ({ progress }) => progress.calls],
  ['calls_failed', 'calls with an error', ({ progress }) => progress.failed],
  [
    'calls_undetermined',
    'calls with an error that depends on the moment',
    ({ progress }) => progress.undetermined,
  ],
  ['disagreements', 'jobs with differing results', ({ progress }) => progress.disagreements],
  ['input_bytes', 'size of the calls in Redis', ({ progress }) => progress.inputBytes],
  ['result_bytes', 'size of the results in Redis', ({ progress }) => progress.resultBytes],
];

/** Metrics of the latest runs, in Prometheus's text format, with its content type. @throws FarmError redis */
export async function boardMetrics(
  store: RunStore,
  mostRuns: number,
): Promise<{ readonly text: string; readonly contentType: string }> {
  const registry = new Registry();
  const gauges = GAUGES.map(
    ([name, help, value]) =>
      [
        new Gauge({ name: `heddle_farm_run_${name}`, help, labelNames: ['run'], registers: [registry] }),
        value,
      ] as const,
  );
  const names = (await store.names()).slice(0, mostRuns);
  // A run of another version must not hide the others.
  for (const status of await readStatuses(store, names, () => undefined)) {
    for (const [gauge, value] of gauges) gauge.set({ run: status.run }, value(status));
  }
  return { text: await registry.metrics(), contentType: registry.contentType };
}
