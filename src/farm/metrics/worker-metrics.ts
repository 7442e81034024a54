import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { errorMessage } from '../../base/errors.js';
import { FarmError } from '../farm-error.js';
import type { FarmWorker, WorkerTotals } from '../worker/farm-worker.js';

/** A server of metrics at `/metrics`. */
export interface MetricsServer {
  readonly url: string;
  close(): void;
}

/** Serves a registry. @throws FarmError bad_input if the address cannot be used */
export async function serveMetrics(
  registry: Registry,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsServer> {
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
    server.once('error', (error) => reject(unusable(host, port, error)));
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

function unusable(host: string, port: number, error: Error): FarmError {
  return new FarmError('bad_input', `cannot listen on ${host}:${port}: ${error.message}`, { cause: error });
}

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
