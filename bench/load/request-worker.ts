// Keeps a number of connections busy for a while, measures the time to every answer and waits for the last ones.
import { parentPort } from 'node:worker_threads';
import { postRequest, RawHttpConnection } from '../support/raw-http.js';
import { quantile } from '../support/statistics.js';
import { type RequestsTask, RPC_PATH, type TimedAnswers } from './request-task.js';

async function run(task: RequestsTask): Promise<TimedAnswers> {
  const { url, path = RPC_PATH, token, milliseconds, answers: most = Number.POSITIVE_INFINITY } = task;
  const requests = task.bodies.map((body) => postRequest(path, body, token));
  const starts: number[] = [];
  const times: number[] = [];
  let sent = 0;
  let isEnding = false;
  let inFlight = Math.min(task.connections, most);
  let allAnswered: () => void = () => undefined;
  const fail = (error: Error): void => {
    throw error;
  };
  const connections: RawHttpConnection[] = [];
  const sendOn = (place: number): void => {
    starts[place] = performance.now();
    connections[place]?.send(requests[sent++ % requests.length] ?? '');
  };
  for (let place = 0; place < inFlight; place++) {
    const onAnswer = (status: number, body: Buffer): void => {
      if (status !== 200 || body.includes('"error"')) throw new Error(`${status}: ${body.toString()}`);
      times.push(performance.now() - (starts[place] ?? 0));
      if (!isEnding && sent < most) sendOn(place);
      else if (--inFlight === 0) allAnswered();
    };
    connections.push(await RawHttpConnection.open(url, onAnswer, fail));
  }
  const begin = performance.now();
  const timer = setTimeout(() => {
    isEnding = true;
  }, milliseconds);
  await new Promise<void>((resolve) => {
    allAnswered = resolve;
    for (const place of connections.keys()) sendOn(place);
  });
  const seconds = (performance.now() - begin) / 1000;
  clearTimeout(timer);
  for (const connection of connections) connection.close();
  return { answers: times.length, seconds, p99: quantile(times, 0.99) };
}

parentPort?.on('message', (task: RequestsTask) => {
  void run(task).then((answered) => parentPort?.postMessage(answered));
});
