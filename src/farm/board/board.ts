import type { AddressInfo } from 'node:net';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { HonoAdapter } from '@bull-board/hono';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { FarmError } from '../farm-error.js';
import { boardMetrics } from '../metrics/board-metrics.js';
import type { RunStore } from '../run/run-store.js';
import { refusalOf } from './same-origin.js';

/** Runs shown, the latest; each is a queue. */
const SHOWN_RUNS = 100;

/** Interval of looks for new runs, in milliseconds. */
const REFRESH_MS = 5_000;

export interface BoardOptions {
  readonly store: RunStore;
  /** A loopback address: the board has no login. */
  readonly host: string;
  readonly port: number;
  /** Whether its buttons that change jobs work. */
  readonly allowsChanges: boolean;
}

export interface Board {
  readonly url: string;
  close(): void;
}

/** Serves bull-board for the queues of the runs, and metrics of the runs. @throws FarmError bad_input, redis */
export async function serveBoard({ store, host, port, allowsChanges }: BoardOptions): Promise<Board> {
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
    server.once('error', (error: Error) =>
      reject(
        new FarmError('bad_input', `cannot listen on ${host}:${port}: ${error.message}`, { cause: error }),
      ),
    );
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
