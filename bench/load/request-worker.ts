// Keeps a number of connections busy with one request for a while, counts the answers and waits for the last ones.
import { parentPort } from 'node:worker_threads';
import { postRequest, RawHttpConnection } from '../support/raw-http.js';
import { type Answered, type RequestTask, RPC_PATH } from './request-task.js';

async function run(task: RequestTask): Promise<Answered> {
  const request = postRequest(task.path ?? RPC_PATH, task.body, task.token);
  let answers = 0;
  let isEnding = false;
  let inFlight = 0;
  let allAnswered: (() => void) | undefined;
  const connections: RawHttpConnection[] = [];
  const fail = (error: Error): void => {
    throw error;
  };
  for (let i = 0; i < task.connections; i++) {
    const connection = await RawHttpConnection.open(
      task.url,
      (status, body) => {
        if (status !== 200 || body.includes('"error"')) throw new Error(`${status}: ${body.toString()}`);
        answers += 1;
        if (!isEnding) connection.send(request);
        else if (--inFlight === 0) allAnswered?.();
      },
      fail,
    );
    connections.push(connection);
  }
  const begin = performance.now();
  for (const connection of connections) connection.send(request);
  await new Promise((resolve) => setTimeout(resolve, task.milliseconds));
  await new Promise<void>((resolve) => {
    inFlight = connections.length;
    isEnding = true;
    allAnswered = resolve;
  });
  const seconds = (performance.now() - begin) / 1000;
  for (const connection of connections) connection.close();
  return { answers, seconds };
}

parentPort?.on('message', (task: RequestTask) => {
  void run(task).then((answered) => parentPort?.postMessage(answered));
});
