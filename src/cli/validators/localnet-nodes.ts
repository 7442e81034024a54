import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hasCode } from '../../base/errors.js';
import { processEnvironment } from '../../config/environment.js';
import { validatorPaths } from '../../consensus/files/validator-directory.js';
import { probePort } from '../../rpc/http/probe-port.js';
import { ownerOf } from '../../storage/data-directory.js';
import { CliError } from '../cli-error.js';
import { type Localnet, P2P_OFFSET } from './localnet-directory.js';

const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url));
/** Timeout for a process to take ownership of its data directory. */
const BEGIN_MS = 60_000;
/** Timeout for a process to stop before it is killed; the node's own deadline is shorter. */
const STOP_MS = 10_000;
const POLL_MS = 100;
/** Number of log lines shown when a node dies. */
const LAST_LINES = 5;

/** A validator's process, started by this command or by another. */
export interface LocalnetNode {
  readonly index: number;
  readonly pid: number;
  readonly rpc: string;
  readonly dataDir: string;
}

/** The processes of a localnet. A validator is running if a live process owns its data directory. */
export class LocalnetNodes {
  readonly #net: Localnet;
  readonly #flags: readonly string[];
  /** Processes started by this command, by validator index. */
  readonly #children = new Map<number, ChildProcess>();

  /** @param flags flags of `heddle start` for all validators */
  constructor(net: Localnet, flags: readonly string[]) {
    this.#net = net;
    this.#flags = flags;
  }

  get count(): number {
    return this.#net.directories.length;
  }

  async find(index: number): Promise<LocalnetNode | undefined> {
    const dataDir = this.#dataDir(index);
    const pid = await ownerOf(dataDir);
    return pid === undefined ? undefined : { index, pid, rpc: this.rpc(index), dataDir };
  }

  rpc(index: number): string {
    return `http://127.0.0.1:${this.#net.shape.port + index}`;
  }

  logFile(index: number): string {
    return join(this.#directory(index), 'node.log');
  }

  /** Starts those that do not run, and waits. @throws CliError if a port is taken, or one ends at once */
  async start(): Promise<readonly LocalnetNode[]> {
    const { port } = this.#net.shape;
    const missing: number[] = [];
    for (let index = 0; index < this.count; index++) {
      if ((await this.find(index)) === undefined) missing.push(index);
    }
    for (const index of missing) {
      await expectFree(port + index, `validator ${index}'s RPC`);
      await expectFree(port + P2P_OFFSET + index, `validator ${index}'s connections with the others`);
    }
    for (const index of missing) this.#spawn(index);
    const nodes: LocalnetNode[] = [];
    for (let index = 0; index < this.count; index++) nodes.push(await this.#waitUntilStarted(index));
    return nodes;
  }

  /** Stops every running validator, including those that another command started. */
  async stop(): Promise<void> {
    const running = await this.#running();
    for (const { pid } of running) signal(pid, 'SIGTERM');
    const deadline = performance.now() + STOP_MS;
    while (await this.#isAnyAlive()) {
      if (performance.now() > deadline) {
        for (const { pid } of await this.#running()) signal(pid, 'SIGKILL');
        for (const child of this.#children.values()) child.kill('SIGKILL');
        return;
      }
      await sleep(POLL_MS);
    }
  }

  logTail(index: number): string {
    try {
      return readFileSync(this.logFile(index), 'utf8').trimEnd().split('\n').slice(-LAST_LINES).join('\n');
    } catch {
      return '';
    }
  }

  async #running(): Promise<readonly LocalnetNode[]> {
    const nodes = await Promise.all(Array.from({ length: this.count }, (_, index) => this.find(index)));
    return nodes.filter((node) => node !== undefined);
  }

  async #isAnyAlive(): Promise<boolean> {
    const isAlive = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;
    return [...this.#children.values()].some(isAlive) || (await this.#running()).length > 0;
  }

  #spawn(index: number): void {
    const { port } = this.#net.shape;
    const log = openSync(this.logFile(index), 'a', 0o600);
    try {
      const flags = ['--validator', this.#directory(index), '--port', `${port + index}`, ...this.#flags];
      // In a separate process group, so that Ctrl-C reaches only this process, which stops the validators in order.
      const child = spawn(process.execPath, [MAIN, 'start', ...flags], {
        detached: true,
        stdio: ['ignore', log, log],
        // Describes the accounts of a development chain with one node.
        env: { ...processEnvironment(), HEDDLE_MNEMONIC: '' },
      });
      child.unref();
      this.#children.set(index, child);
    } finally {
      closeSync(log);
    }
  }

  async #waitUntilStarted(index: number): Promise<LocalnetNode> {
    const deadline = performance.now() + BEGIN_MS;
    for (;;) {
      const node = await this.find(index);
      if (node !== undefined) return node;
      const child = this.#children.get(index);
      const ended = child === undefined || child.exitCode !== null || child.signalCode !== null;
      if (ended || performance.now() > deadline) {
        const what = ended ? 'ended at once' : `did not start within ${BEGIN_MS / 1_000} s`;
        const words = this.logTail(index);
        throw new CliError(`validator ${index} ${what}; its log, ${this.logFile(index)}, says:\n${words}`);
      }
      await sleep(POLL_MS);
    }
  }

  #directory(index: number): string {
    return this.#net.directories[index] ?? '';
  }

  #dataDir(index: number): string {
    return validatorPaths(this.#directory(index)).data;
  }
}

/** @throws CliError if the port is taken */
async function expectFree(port: number, what: string): Promise<void> {
  try {
    await probePort('127.0.0.1', port);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CliError(
      `port ${port}, for ${what}, is unavailable (${reason}); choose others with --port and another --data-dir`,
      { cause: error },
    );
  }
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // ESRCH: the process has already ended.
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}
