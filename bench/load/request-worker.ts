// Keeps a number of connections busy with one request for a while and counts the answers.
import { parentPort } from 'node:worker_threads';
import { postRequest, RawHttpConnection } from '../support/raw-http.js';
import { type RequestTask, RPC_PATH } from './request-task.js';

async function run(task: RequestTask): Promise<number> {
  const request = postRequest(task.path ?? RPC_PATH, task.body, task.token);
  let answers = 0;
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
        connection.send(request);
      },
      fail,
    );
    connections.push(connection);
  }
  const begin = performance.now();
  for (const connection of connections) connection.send(request);
  await new Promise((resolve) => setTimeout(resolve, task.milliseconds));
  const rate = answers / ((performance.now() - begin) / 1000);
  for (const connection of connections) connection.close();
  return rate;
}

parentPort?.on('message', (task: RequestTask) => {
  void run(task).then((rate) => parentPort?.postMessage(rate));
});
