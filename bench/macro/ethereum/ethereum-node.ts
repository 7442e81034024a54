import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode, toError } from '../../../src/base/errors.js';
import { freePorts } from '../../../test/support/free-ports.js';
import { killGroup, processTree } from '../../support/process-tree.js';
import type { EthereumKind, EthereumProgram } from './program.js';

const START_TIMEOUT_MS = 30_000;
const POLL_MS = 5;
/** The same for both, so that both take the same transactions. */
export const CHAIN_ID = 31_337n;
/** Room for 40,000 transfers per block, so that no block of a second is full. */
const BLOCK_GAS = '1000000000';

export interface EthereumNodeOptions {
  /** Seconds between blocks; 0 seals none, or with ganache one per transaction. */
  readonly blockSeconds: number;
}

/** Flags that turn request logs off and set the sealing mode. */
function flagsOf(kind: EthereumKind, port: number, { blockSeconds }: EthereumNodeOptions): readonly string[] {
  const common = ['--quiet', '--host', '127.0.0.1', '--port', String(port)];
  const timed = ['--block-time', String(blockSeconds)];
  if (kind === 'anvil') {
    const sealing = blockSeconds === 0 ? ['--no-mining'] : timed;
    return [...common, '--chain-id', String(CHAIN_ID), '--gas-limit', BLOCK_GAS, ...sealing];
  }
  return [
    ...common,
    '--chain.chainId',
    String(CHAIN_ID),
    '--miner.blockGasLimit',
    `0x${Number(BLOCK_GAS).toString(16)}`,
    ...(blockSeconds === 0 ? [] : timed),
  ];
}

/** Methods outside the standard: their names differ, their parameters are the same. */
const SETTERS = {
  anvil: { balance: 'anvil_setBalance', code: 'anvil_setCode', storage: 'anvil_setStorageAt' },
  ganache: {
    balance: 'evm_setAccountBalance',
    code: 'evm_setAccountCode',
    storage: 'evm_setAccountStorageAt',
  },
} as const;

/** A development node of Ethereum in a separate process, on a free port of 127.0.0.1. */
export class EthereumNode {
  readonly kind: EthereumKind;
  readonly url: string;
  /** From spawning the process to its first answer. */
  readonly startMs: number;
  readonly #child: ChildProcess;
  readonly #endWithUs: () => void;

  private constructor(kind: EthereumKind, url: string, started: StartedProcess) {
    this.kind = kind;
    this.url = url;
    this.startMs = started.startMs;
    this.#child = started.child;
    this.#endWithUs = started.endWithUs;
  }

  static async start(
    program: EthereumProgram,
    options: EthereumNodeOptions = { blockSeconds: 0 },
  ): Promise<EthereumNode> {
    // Anvil prints its address only if it also logs each request, which would slow it; so the port is chosen here.
    const [port = 0] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;
    const started = await startProcess(program, flagsOf(program.kind, port, options), url);
    return new EthereumNode(program.kind, url, started);
  }

  /** The processes that may do the work: the program, which may be a wrapper, and its children. */
  get pids(): readonly number[] {
    return processTree(this.#child.pid ?? 0);
  }

  /** @throws Error if the node answers with an error */
  call(method: string, params: readonly unknown[]): Promise<unknown> {
    return callOf(this.url, method, params);
  }

  async setBalance(address: string, wei: bigint): Promise<void> {
    await this.call(SETTERS[this.kind].balance, [address, `0x${wei.toString(16)}`]);
  }

  async setCode(address: string, code: string): Promise<void> {
    await this.call(SETTERS[this.kind].code, [address, code]);
  }

  /** @param slot @param value 32 bytes each, as hex with 0x */
  async setStorage(address: string, slot: string, value: string): Promise<void> {
    await this.call(SETTERS[this.kind].storage, [address, slot, value]);
  }

  stop(): void {
    process.off('exit', this.#endWithUs);
    this.#endWithUs();
  }
}

interface StartedProcess {
  readonly child: ChildProcess;
  readonly startMs: number;
  readonly endWithUs: () => void;
}

async function startProcess(
  { kind, path }: EthereumProgram,
  flags: readonly string[],
  url: string,
): Promise<StartedProcess> {
  const begin = performance.now();
  // The program may be a wrapper that starts the node; a process group can be killed as a whole.
  const child = spawn(path, flags, { stdio: 'ignore', detached: true });
  const endWithUs = (): void => {
    if (child.pid !== undefined) killGroup(child.pid);
  };
  process.on('exit', endWithUs);
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  child.once('exit', (code, signal) => {
    failure = new Error(`${kind} ended with ${signal ?? code}`);
  });
  for (;;) {
    try {
      await callOf(url, 'eth_chainId', []);
      return { child, startMs: performance.now() - begin, endWithUs };
    } catch (error) {
      const isWaiting = isRefused(error) && failure === undefined;
      if (isWaiting && performance.now() < begin + START_TIMEOUT_MS) {
        await sleep(POLL_MS);
        continue;
      }
      process.off('exit', endWithUs);
      endWithUs();
      if (!isWaiting) throw failure ?? toError(error);
      throw new Error(`${kind} did not answer within ${START_TIMEOUT_MS} ms`, { cause: error });
    }
  }
}

/** Whether nobody listened yet. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && hasCode(error.cause, 'ECONNREFUSED');
}

async function callOf(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { readonly result?: unknown; readonly error?: unknown };
  if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error).slice(0, 500)}`);
  return answer.result;
}
