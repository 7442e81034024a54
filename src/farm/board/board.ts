import type { AddressInfo } from 'node:net';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { HonoAdapter } from '@bull-board/hono';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { Gauge, Registry } from 'prom-client';
import { FarmError } from '../farm-error.js';
import type { RunStore } from '../run/run-store.js';
import { type RunStatus, readStatuses } from '../run-status.js';

/** Host names of this machine for a browser on it, with or without a port. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/**
 * Why a request is refused, if it is: pages of other sites must neither read the board, by a name of theirs that
 * points here, nor press its buttons.
 */
export function refusalOf(method: string, header: (name: string) => string | undefined): string | undefined {
  const host = header('host') ?? '';
  if (!LOOPBACK.test(host))
    return `expected the Host of this machine, such as localhost, got ${JSON.stringify(host)}`;
  if (method === 'GET' || method === 'HEAD') return undefined;
  const origin = header('origin');
  if (origin === undefined || origin === `http://${host}`) return undefined;
  return `expected a request of the board's own page, got one of ${JSON.stringify(origin)}`;
}

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
    (run) => run.progress.undetermined,
  ],
  ['disagreements', 'jobs with differing results', ({ progress }) => progress.disagreements],
  ['input_bytes', 'size of the calls in Redis', ({ progress }) => progress.input_bytes],
  ['result_bytes', 'size of the results in Redis', ({ progress }) => progress.result_bytes],
];

/** Metrics of the latest runs, in Prometheus's text format, with its content type. @throws FarmError redis */
export async function boardMetrics(
  store: RunStore,
  mostRuns: number,
): Promise<{ readonly text: string; readonly contentType: string }> {
  const registry = new Registry();
  const names = (await store.names()).slice(0, mostRuns);
  // A run of another version must not hide the others.
  const statuses = await readStatuses(store, names, () => undefined);
  for (const [name, help, value] of GAUGES) {
    const options = { name: `heddle_farm_run_${name}`, help, labelNames: ['run'], registers: [registry] };
    const gauge = new Gauge(options);
    for (const status of statuses) gauge.set({ run: status.run }, value(status));
  }
  return { text: await registry.metrics(), contentType: registry.contentType };
}

/** Runs shown, the latest; each is a queue. */
const SHOWN_RUNS = 100;

/** Interval of looks for new runs, in milliseconds. */
const REFRESH_MS = 5_000;

/** Serves bull-board for the queues of the runs, and metrics of the runs. @throws FarmError bad_input, redis */
export async function serveBoard({
  store,
  host,
  port,
  allowsChanges,
}: {
  readonly store: RunStore;
  /** A loopback address: the board has no login. */
  readonly host: string;
  readonly port: number;
  /** Whether its buttons that change jobs work. */
  readonly allowsChanges: boolean;
}): Promise<{ readonly url: string; close(): void }> {
  const adapter = new HonoAdapter(serveStatic);
  adapter.setBasePath('');
  const board = createBullBoard({
    queues: [],
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'heddle farm', boardLogo: { path: '', width: 0, height: 0 } } },
  });
  const shown = new Set<string>();
  const refresh = async (): Promise<void> => {
    const names = (await store.names()).slice(0, SHOWN_RUNS);
    for (const name of [...shown].filter((one) => !names.includes(one))) {
      shown.delete(name);
      board.removeQueue(name);
    }
    for (const name of names.filter((one) => !shown.has(one))) {
      shown.add(name);
      board.addQueue(new BullMQAdapter(store.queue(name), { readOnlyMode: !allowsChanges }));
    }
  };
  await refresh();

  const app = new Hono();
  app.use('*', async (context, next) => {
    const refusal = refusalOf(context.req.method, (name) => context.req.header(name));
    if (refusal !== undefined) return context.text(`${refusal}\n`, 403);
    await next();
    return undefined;
  });
  app.get('/metrics', async (context) => {
    const { text, contentType } = await boardMetrics(store, SHOWN_RUNS);
    return context.text(text, 200, { 'content-type': contentType });
  });
  app.route('/', adapter.registerPlugin());
  const server = serve({ fetch: app.fetch, hostname: host, port });
  const { port: actual } = await new Promise<AddressInfo>((resolve, reject) => {
    server.once('listening', () => resolve(server.address() as AddressInfo));
    server.once('error', (error: Error) => {
      const message = `cannot listen on ${host}:${port}: ${error.message}`;
      reject(new FarmError('bad_input', message, { cause: error }));
    });
  });
  // Redis may be away for a while; the page says so itself.
  const timer = setInterval(() => void refresh().catch(() => undefined), REFRESH_MS);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    close: () => {
      clearInterval(timer);
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
    },
  };
}
