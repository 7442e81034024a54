import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from '../../test/support/free-ports.js';

const START_TIMEOUT_MS = 10_000;
const run = promisify(execFile);

/** The version that a program reports, or undefined if the program does not exist. */
export async function anvilVersion(program: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(program, ['--version']);
    return /version:?\s*(\S+)/i.exec(stdout)?.[1] ?? stdout.trim();
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** An anvil in a separate process, on a free port of 127.0.0.1. It seals no blocks and logs no requests. */
export class Anvil {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #endWithUs = (): void => this.#kill();

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
    process.on('exit', this.#endWithUs);
  }

  static async start(program: string): Promise<Anvil> {
    // Anvil prints its address only if it also logs each request, which would slow it; so the port is chosen here.
    const [port = 0] = await freePorts(1);
    const child = spawn(program, ['--quiet', '--host', '127.0.0.1', '--port', String(port), '--no-mining'], {
      stdio: 'ignore',
      // The program may be a wrapper that starts anvil; a process group can be killed as a whole.
      detached: true,
    });
    let failure: Error | undefined;
    child.once('error', (error) => {
      failure = error;
    });
    child.once('exit', (code, signal) => {
      failure = new Error(`anvil ended with ${signal ?? code}`);
    });
    const anvil = new Anvil(`http://127.0.0.1:${port}`, child);
    const end = performance.now() + START_TIMEOUT_MS;
    for (;;) {
      try {
        await anvil.call('eth_chainId', []);
        return anvil;
      } catch (error) {
        if (failure === undefined && performance.now() < end) {
          await sleep(20);
          continue;
        }
        anvil.stop();
        throw failure ?? new Error(`anvil did not answer within ${START_TIMEOUT_MS} ms`, { cause: error });
      }
    }
  }

  /** The processes that may do the work: the program and its children. */
  get pids(): readonly number[] {
    return withChildren(this.#child.pid ?? 0);
  }

  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const answer = (await response.json()) as { readonly result?: unknown; readonly error?: unknown };
    if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
    return answer.result;
  }

  stop(): void {
    process.off('exit', this.#endWithUs);
    this.#kill();
  }

  #kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'ESRCH') throw error;
    }
  }
}

function withChildren(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => withChildren(Number(child)))];
}
