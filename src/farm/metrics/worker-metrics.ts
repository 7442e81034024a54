import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { errorMessage } from '../../base/errors.js';
import { FarmError } from '../farm-error.js';
import type { FarmWorker, WorkerTotals } from '../worker/farm-worker.js';
import type { NodeShift } from '../worker/node-shift.js';

const TOTALS: Readonly<Record<keyof WorkerTotals, string>> = {
  jobs: 'jobs done, whether their results counted or another attempt was faster',
  calls: 'calls made',
  failed: 'calls with an error that every node would give',
  undetermined: 'calls with an error that depends on the moment, such as a timeout',
  disagreements: 'jobs with results other than those of another worker',
  overloads: 'answers of nodes that had too much to do',
};

const GAUGES: readonly (readonly [name: string, help: string, value: (shift: NodeShift) => number])[] = [
  ['calls_in_flight', 'calls in flight', ({ node }) => node.limit.inFlight],
  ['calls_allowed', 'limit of calls in flight', ({ node }) => node.limit.allowed],
  ['node_up', '1 while a node takes all jobs', ({ problem }) => (problem === '' ? 1 : 0)],
];

/** Serves the metrics of a worker at `/metrics`. @throws FarmError bad_input if the address cannot be used */
export async function serveWorkerMetrics(
  worker: FarmWorker,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly url: string; close(): void }> {
  const registry = workerMetrics(worker);
  const server: Server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => response.writeHead(503).end(`${errorMessage(error)}\n`),
    );
  });
  server.requestTimeout = 5_000;
  server.maxConnections = 64;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const message = `cannot listen on ${host}:${port}: ${error.message}`;
      reject(new FarmError('bad_input', message, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
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
  for (const [name, help, value] of GAUGES) {
    new Gauge({
      name: `heddle_farm_${name}`,
      help,
      registers,
      labelNames: ['node'],
      collect() {
        for (const shift of worker.shifts) this.set({ node: shift.node.name }, value(shift));
      },
    });
  }
  return registry;
}
