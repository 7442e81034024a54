import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hex } from '../../outside/bytes.js';
import { RpcClient } from '../../outside/rpc.js';
import { Account, TxSubmitResult } from '../../outside/rpc-shapes.js';
import { nodeStatus } from '../../outside/traffic.js';
import {
  devWallet,
  type SentTransaction,
  signTransaction,
  transfer,
  type Wallet,
} from '../../outside/wallet.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from './node-process.js';
import { forgetPeak, frontThreads, type ProcessMemory, processMemory } from './process-memory.js';

export interface SoundOptions {
  /** Maximum peak of the resident memory of a node with one front thread, MiB. */
  readonly peakMiB?: number;
  /**
   * Time limit in milliseconds for `status` to answer, and again for a transfer to be included. Generous, because
   * this is not a benchmark.
   */
  readonly withinMs?: number;
}

/** Memory that each front thread after the first may take besides, MiB: 30 to 45 were seen, most of it for the engine. */
const FRONT_THREAD_MIB = 50;

/** A real node in a separate process that a test attacks, on a data directory that outlives restarts. */
export class AttackedNode {
  readonly dataDir = temporaryDirectory();
  readonly #flags: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  #node: NodeProcess | undefined;
  #rpc: RpcClient | undefined;

  /** A node that {@link ready} starts. */
  constructor(flags: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.#flags = flags;
    this.#env = env;
  }

  static async start(
    flags: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<AttackedNode> {
    const attacked = new AttackedNode(flags, env);
    try {
      await attacked.#open();
    } catch (error) {
      removeDirectory(attacked.dataDir);
      throw error;
    }
    return attacked;
  }

  get node(): NodeProcess {
    assert.ok(this.#node !== undefined, 'the node runs');
    return this.#node;
  }

  get rpc(): RpcClient {
    assert.ok(this.#rpc !== undefined, 'the node runs');
    return this.#rpc;
  }

  get memory(): ProcessMemory {
    return processMemory(this.node.pid);
  }

  /**
   * Ends the node, by SIGTERM or SIGKILL, and starts it on the same data.
   * @param nodeFlags flags of Node itself
   * @param between runs while the node is stopped
   */
  async restart(
    how: 'stop' | 'kill' = 'stop',
    {
      nodeFlags = [],
      between,
    }: { readonly nodeFlags?: readonly string[]; readonly between?: () => void } = {},
  ): Promise<void> {
    this.#rpc?.close();
    if (how === 'kill') await this.node.kill();
    else {
      const { code, signal } = await this.node.stop();
      assert.ok(
        code === 0 || signal === 'SIGTERM',
        `the node ended by itself: ${code} ${signal}\n${this.node.log}`,
      );
    }
    between?.();
    await this.#open(nodeFlags);
  }

  /** Prepares the node for an attack: starts it unless it runs, and forgets its peak of memory. */
  async ready(): Promise<void> {
    if (this.#node === undefined) await this.#open();
    else if (!this.#node.isRunning) await this.restart('kill');
    forgetPeak(this.node.pid);
  }

  /**
   * Checks the invariants after any attack: the process runs, answers, seals an unrelated account's transfer, and has
   * stayed within its memory limit.
   */
  async assertSound({ peakMiB, withinMs = 15_000 }: SoundOptions = {}): Promise<void> {
    await this.assertAnswers(withinMs);
    await withTimeout(withinMs, 'a transfer is sealed', this.sendTransfer(devWallet(9)));
    if (peakMiB !== undefined) {
      const { peakMiB: peak } = this.memory;
      const most = peakMiB + FRONT_THREAD_MIB * (frontThreads(this.node.pid) - 1);
      assert.ok(peak <= most, `${Math.round(peak)} MiB were resident, at most ${most} are allowed`);
    }
  }

  async assertAnswers(withinMs = 15_000): Promise<void> {
    const exited = this.node.exited.then(({ code, signal }) => {
      throw new Error(`the node ended: ${signal ?? code}\n${this.node.log.slice(-4_000)}`);
    });
    await withTimeout(withinMs, 'status is answered', Promise.race([nodeStatus(this.rpc), exited]));
  }

  /** Sends a transfer with the wallet's next nonce and waits until it is in a block. */
  async sendTransfer(wallet: Wallet): Promise<void> {
    const { encoded } = await this.transferOf(wallet);
    const params = { encoded, wait: { type: 'included' }, timeout_ms: 10_000 };
    const result = TxSubmitResult.fromJson(await this.rpc.call('tx_submit', params), 'tx_submit');
    assert.equal(result.status.type, 'included');
  }

  /** A signed transfer with the wallet's next nonce. */
  async transferOf(wallet: Wallet): Promise<SentTransaction> {
    const address = `0x${hex(wallet.address)}`;
    const { lanes } = Account.fromJson(await this.rpc.call('account', { address }), 'account');
    const nonce = lanes.find(({ lane }) => lane === 0)?.next_nonce ?? 0n;
    const { chain_id: chainId } = await nodeStatus(this.rpc);
    return signTransaction(wallet, {
      chainId,
      nonce,
      gasLimit: 50_000n,
      priorityFee: 1_000_000n,
      action: transfer(new Uint8Array(20).fill(0x5a), 1n),
    });
  }

  /** Seals empty blocks at once until the chain has this height at least, by the controls of a development chain. */
  async mineTo(height: number): Promise<void> {
    const token = readFileSync(join(this.dataDir, 'admin.token'), 'utf8').trim();
    const rpc = new RpcClient(this.node.url, token);
    try {
      for (;;) {
        const left = height - Number((await nodeStatus(rpc)).tip.height);
        if (left <= 0) return;
        await rpc.call('dev_mine', { count: Math.min(left, 200) });
      }
    } finally {
      rpc.close();
    }
  }

  /** Waits until `blocks` further blocks are sealed. */
  async sealed(blocks: number, withinMs = 30_000): Promise<void> {
    const { tip } = await nodeStatus(this.rpc);
    const deadline = Date.now() + withinMs;
    while ((await nodeStatus(this.rpc)).tip.height < tip.height + BigInt(blocks)) {
      assert.ok(Date.now() < deadline, `${blocks} blocks were not sealed within ${withinMs} ms`);
      await sleep(50);
    }
  }

  async dispose(): Promise<void> {
    this.#rpc?.close();
    await this.#node?.dispose();
    removeDirectory(this.dataDir);
  }

  async #open(nodeFlags: readonly string[] = []): Promise<void> {
    const { dataDir } = this;
    this.#node = await NodeProcess.start({ dataDir, flags: this.#flags, nodeFlags, env: this.#env });
    this.#rpc = new RpcClient(this.#node.url);
  }
}

/** The promise's result, or an error that names the event that timed out. */
export async function withTimeout<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const late = sleep(ms, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`not within ${ms} ms: ${what}`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    late.catch(() => undefined);
    ended.abort();
  }
}
