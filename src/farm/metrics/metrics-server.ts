import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { errorMessage } from '../../base/errors.js';
import { FarmError } from '../farm-error.js';

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
