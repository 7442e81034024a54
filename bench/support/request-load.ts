import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import {
  type Answered,
  type RequestsTask,
  type RequestTask,
  RPC_PATH,
  type TimedAnswers,
} from '../load/request-task.js';

/** Keeps a server busy with one repeated request. Every connection has one request in flight. */
export interface RequestLoad {
  readonly name: string;
  count(task: RequestTask): Promise<Answered>;
  /** Answers per second. */
  measure(task: RequestTask): Promise<number>;
  stop(): Promise<void>;
}

/** Load from a thread of this process, which can also send several requests in turn. */
export interface ThreadLoad extends RequestLoad {
  time(task: RequestsTask): Promise<TimedAnswers>;
}

function withRate(load: Omit<RequestLoad, 'measure'>): RequestLoad {
  return {
    ...load,
    measure: async (task) => {
      const { answers, seconds } = await load.count(task);
      return answers / seconds;
    },
  };
}

/** Load from a thread of this process: raw keep-alive sockets that check every answer and wait for the last ones. */
export function threadLoad(): ThreadLoad {
  const worker = new Worker(new URL('../load/request-worker.js', import.meta.url));
  const time = (task: RequestsTask): Promise<TimedAnswers> =>
    new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(error);
      worker.once('message', (answered: TimedAnswers) => {
        worker.off('error', fail);
        resolve(answered);
      });
      worker.once('error', fail);
      worker.postMessage(task);
    });
  const load = withRate({
    name: 'a thread of this process',
    count: ({ body, ...task }) => time({ ...task, bodies: [body] }),
    stop: async () => {
      await worker.terminate();
    },
  });
  return { ...load, time };
}

/** Load from `wrk`: it takes less processor time from the server, checks only statuses and drops the last answers. */
export function wrkLoad(program = 'wrk'): RequestLoad {
  const script = join(tmpdir(), `heddle-bench-${process.pid}.lua`);
  return withRate({
    name: 'wrk',
    count: async ({ url, path = RPC_PATH, body, token, connections, milliseconds }) => {
      const authorization =
        token === undefined ? '' : `wrk.headers["Authorization"] = ${JSON.stringify(`Bearer ${token}`)}\n`;
      writeFileSync(
        script,
        `wrk.method = "POST"\nwrk.body = ${JSON.stringify(body)}\nwrk.headers["Content-Type"] = "application/json"\n${authorization}`,
      );
      // wrk takes whole seconds, but ends and reports at SIGINT.
      const limit = `${Math.ceil(milliseconds / 1000) + 10}s`;
      const args = ['-t', '1', '-c', String(connections), '-d', limit, '-s', script, url + path];
      const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      let report = '';
      child.stdout.on('data', (chunk: Buffer) => {
        report += chunk.toString();
      });
      const ended = once(child, 'close');
      await Promise.race([sleep(milliseconds), ended]);
      child.kill('SIGINT');
      await ended;
      const answers = Number(/(\d+) requests in/.exec(report)?.[1]);
      const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(report)?.[1]);
      // Connections with a request in flight count as timeouts if wrk ends before their answer.
      if (/Non-2xx|connect [1-9]|read [1-9]|write [1-9]/.test(report) || !(rate > 0)) {
        throw new Error(`wrk got no good answers from ${url}: ${report}`);
      }
      return { answers, seconds: answers / rate };
    },
    stop: async () => rmSync(script, { force: true }),
  });
}
