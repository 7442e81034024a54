import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface BareServer {
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

/**
 * Starts bare uWebSockets.js in a separate process. It parses each request as JSON and gives `answer` as its result.
 */
export function startBareServer(answer: string): Promise<BareServer> {
  const entry = fileURLToPath(new URL('./bare-uws-server.js', import.meta.url));
  const child = spawn(process.execPath, [entry, answer], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the bare server ended with ${code}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      const url = /listening on (\S+)/.exec(chunk.toString())?.[1];
      if (url !== undefined) resolve({ url, pid: child.pid ?? 0, stop: () => child.kill('SIGKILL') });
    });
  });
}
