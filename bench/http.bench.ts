/**
 * Cost of the RPC front end relative to a minimal server: a bare uWebSockets.js handler that parses the same JSON
 * body and answers the same text. Both run alternately in this thread, under the same load from a second thread. The
 * ratio compares this thread's CPU time per request (Linux only), because that depends neither on the speed of the
 * load generator nor on other load; requests per second are shown beside it.
 *
 * Run: `npm run bench -- http [seconds a turn]`. The ratio for `status` on uWebSockets.js should be at least
 * 0.8; `account` also decodes its parameters and encodes its result, which the bare handler does not.
 */
import { readFileSync } from 'node:fs';
import { openNodeHttpServer } from '../native-free/http/node-http-server.js';
import { DEFAULT_LIMITS } from '../src/config/limits.js';
import type { HttpServer, HttpServerOptions } from '../src/rpc/http/http-server.js';
import { loadUws } from '../src/rpc/http/native/load-uws.js';
import type { UwsBinding } from '../src/rpc/http/native/uws-binding.js';
import { openUwsServer } from '../src/rpc/http/native/uws-server.js';
import { NodeMetrics } from '../src/rpc/metrics/node-metrics.js';
import { describePositionals } from './support/bench-arguments.js';
import { benchFrontEnd } from './support/bench-front-end.js';
import { recordCost } from './support/record-values.js';
import { type RequestLoad, threadLoad } from './support/request-load.js';
import { quantile } from './support/statistics.js';

const CONNECTIONS = 32;
/** Time of the bare handler over that of the front end on uWebSockets.js. */
const LEAST_RATIO = 0.8;
const TURNS = 5;
const WARM_UP_MS = 500;
describePositionals('[seconds a turn, default 1.5]');
const TURN_MS = Number(process.argv[2] ?? 1.5) * 1000;

interface Turn {
  readonly perSecond: number;
  /** CPU time of the serving thread per request, in microseconds. */
  readonly cpuMicros: number;
}

interface Contender {
  readonly name: string;
  readonly open: () => Promise<{ readonly port: number; stop(): Promise<void> }>;
}

async function measure(load: RequestLoad, { open }: Contender, body: string): Promise<Turn> {
  const server = await open();
  const task = { url: `http://127.0.0.1:${server.port}`, body, connections: CONNECTIONS };
  await load.measure({ ...task, milliseconds: WARM_UP_MS });
  const cpuBefore = mainThreadCpuNanos();
  const perSecond = await load.measure({ ...task, milliseconds: TURN_MS });
  const cpuNanos = mainThreadCpuNanos() - cpuBefore;
  await server.stop();
  return { perSecond, cpuMicros: cpuNanos / 1000 / (perSecond * (TURN_MS / 1000)) };
}

/** The server that the others are compared with. */
function bare(binding: UwsBinding, result: string): Contender {
  return {
    name: 'bare uWebSockets.js',
    open: async () => {
      const app = binding.App().post('/*', (response) => {
        response.onAborted(() => undefined);
        response.onData((chunk, isLast) => {
          if (!isLast) return;
          const { id } = JSON.parse(Buffer.from(chunk).toString()) as { readonly id: number };
          response.writeHeader('content-type', 'application/json');
          response.end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
        });
      });
      const socket = await new Promise<Parameters<UwsBinding['us_socket_local_port']>[0]>(
        (resolve, reject) => {
          app.listen('127.0.0.1', 0, binding.LIBUS_LISTEN_EXCLUSIVE_PORT, (opened) => {
            if (opened === false) reject(new Error('no free port'));
            else resolve(opened);
          });
        },
      );
      const stop = async (): Promise<void> => {
        app.close();
      };
      return { port: binding.us_socket_local_port(socket), stop };
    },
  };
}

function whole(
  name: string,
  openServer: (options: HttpServerOptions) => Promise<HttpServer>,
  options: Omit<HttpServerOptions, 'host' | 'port'>,
): Contender {
  return {
    name,
    open: async () => {
      const server = await openServer({ host: '127.0.0.1', port: 0, ...options });
      return { port: server.port, stop: () => server.stop(100) };
    },
  };
}

/** CPU time of the event loop's thread; its ID equals the process ID. */
function mainThreadCpuNanos(): number {
  const { pid } = process;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]);
}

const loaded = loadUws();
if ('reason' in loaded) throw new Error(loaded.reason);
const { binding } = loaded;
const frontEnd = await benchFrontEnd({ limits: DEFAULT_LIMITS, metrics: new NodeMetrics() });
const { status, account } = frontEnd;

const load = threadLoad();
const cases = [
  { name: 'status', body: '{"jsonrpc":"2.0","id":1,"method":"status","params":{}}', result: status },
  {
    name: 'account',
    body: `{"jsonrpc":"2.0","id":1,"method":"account","params":{"address":"0x${'ab'.repeat(20)}"}}`,
    result: account,
  },
];

for (const { name, body, result } of cases) {
  const contenders = [
    bare(binding, result),
    whole('front end on uWebSockets.js', (options) => openUwsServer(binding, options), frontEnd.httpOptions),
    whole('front end on node:http', openNodeHttpServer, frontEnd.httpOptions),
  ];
  const figures = new Map<string, Turn[]>(contenders.map((contender) => [contender.name, []]));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const contender of contenders)
      figures.get(contender.name)?.push(await measure(load, contender, body));
  }
  console.log(`\n${name}, ${CONNECTIONS} connections, median of ${TURNS} turns`);
  const cpuOf = (turns: readonly Turn[]) => turns.map(({ cpuMicros }) => cpuMicros);
  const [bareName = '', ...frontEnds] = figures.keys();
  for (const contender of frontEnds) {
    recordCost(`${name}: CPU per request, ${contender}`, 'µs', cpuOf(figures.get(contender) ?? []), {
      baselines: [{ name: bareName, rounds: cpuOf(figures.get(bareName) ?? []) }],
      ...(contender.endsWith('uWebSockets.js')
        ? { aim: { of: 'ratio', at: 'most', bound: 1 / LEAST_RATIO } }
        : {}),
    });
  }
  let floor: number | undefined;
  for (const [contender, turns] of figures) {
    const cpu = quantile(
      turns.map(({ cpuMicros }) => cpuMicros),
      0.5,
    );
    const perSecond = quantile(
      turns.map((figure) => figure.perSecond),
      0.5,
    );
    floor ??= cpu;
    const columns = [
      contender.padEnd(28),
      `${Math.round(perSecond).toLocaleString('en')}/s`.padStart(12),
      `${cpu.toFixed(2)} µs CPU`.padStart(16),
      `ratio ${(floor / cpu).toFixed(2)}`,
    ];
    console.log(`  ${columns.join('  ')}`);
  }
}
await load.stop();
