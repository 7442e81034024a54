import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type RequestTask, RPC_PATH } from '../load/request-task.js';

/** Keeps a server busy with one repeated request. */
export interface RequestLoad {
  readonly name: string;
  /** Answers per second. Every connection has one request in flight. */
  measure(task: RequestTask): Promise<number>;
  stop(): Promise<void>;
}

/** Load from a thread of this process: raw keep-alive sockets that check every answer. */
export function threadLoad(): RequestLoad {
  const worker = new Worker(new URL('../load/request-worker.js', import.meta.url));
  return {
    name: 'a thread of this process',
    measure: (task) =>
      new Promise((resolve, reject) => {
        const fail = (error: Error): void => reject(error);
        worker.once('message', (rate: number) => {
          worker.off('error', fail);
          resolve(rate);
        });
        worker.once('error', fail);
        worker.postMessage(task);
      }),
    stop: async () => {
      await worker.terminate();
    },
  };
}

/** Load from `wrk`, in whole seconds: it takes less CPU from the server, and checks only statuses. */
export function wrkLoad(): RequestLoad {
  const script = join(tmpdir(), `heddle-bench-${process.pid}.lua`);
  const run = promisify(execFile);
  return {
    name: 'wrk',
    measure: async ({ url, path = RPC_PATH, body, connections, milliseconds }) => {
      writeFileSync(
        script,
        `wrk.method = "POST"\nwrk.body = ${JSON.stringify(body)}\nwrk.headers["Content-Type"] = "application/json"\n`,
      );
      const seconds = milliseconds / 1000;
      // Callers divide by the time, so it must not be rounded.
      if (!Number.isInteger(seconds)) throw new Error(`wrk takes whole seconds, got ${milliseconds} ms`);
      const args = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '-s', script, url + path];
      const { stdout } = await run('wrk', args);
      if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
      return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
    },
    stop: async () => rmSync(script, { force: true }),
  };
}
