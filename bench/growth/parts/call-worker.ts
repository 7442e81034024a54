// Sends calls over raw keep-alive sockets, one in flight on each, and measures the time to every answer.
import { parentPort } from 'node:worker_threads';
import { errorMessage } from '../../../src/base/errors.js';
import { RPC_PATH } from '../../load/request-task.js';
import { postRequest, RawHttpConnection } from '../../support/raw-http.js';
import { quantile } from '../../support/statistics.js';
import type { CallReply, CallTask, CallTimes } from './call-load.js';

async function run({
  url,
  bodies,
  connections,
  milliseconds,
  answers: most = Infinity,
}: CallTask): Promise<CallTimes> {
  const requests = bodies.map((body) => postRequest(RPC_PATH, body));
  const times: number[] = [];
  const open: RawHttpConnection[] = [];
  let end: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  ended.catch(() => undefined);
  let isOver = false;
  let sent = 0;
  const sendOn = (connection: RawHttpConnection): number => {
    connection.send(requests[sent++ % requests.length] ?? '');
    return performance.now();
  };
  const starts: number[] = [];
  try {
    for (let place = 0; place < connections; place++) {
      const connection = await RawHttpConnection.open(
        url,
        (status, body) => {
          if (status !== 200 || body.includes('"error"')) {
            fail(new Error(`${status}: ${body.toString().slice(0, 500)}`));
            return;
          }
          times.push(performance.now() - (starts[place] ?? 0));
          if (times.length >= most || (isOver && times.length >= connections)) end();
          else if (sent < most) starts[place] = sendOn(connection);
        },
        (error) => fail(error),
      );
      open.push(connection);
    }
    const begin = performance.now();
    for (const [place, connection] of open.entries()) if (sent < most) starts[place] = sendOn(connection);
    const timer = setTimeout(() => {
      isOver = true;
      if (times.length >= connections) end();
    }, milliseconds);
    await ended.finally(() => clearTimeout(timer));
    const seconds = (performance.now() - begin) / 1_000;
    return { answers: times.length, seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  } finally {
    for (const connection of open) connection.close();
  }
}

parentPort?.on('message', (task: CallTask) => {
  const reply = (answer: CallReply) => parentPort?.postMessage(answer);
  run(task).then(
    (times) => reply({ times }),
    (error: unknown) => reply({ failure: errorMessage(error) }),
  );
});
