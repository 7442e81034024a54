// The shared part of the transfer benchmarks: a dedicated node, funded accounts, signed chunks, and a final check
// that nothing was lost. Formats and calls come from the outside audit, which shares no code with the node.
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient } from '../../test/outside/rpc.js';
import { TxpoolStats } from '../../test/outside/rpc-shapes.js';
import { NodeProcess } from '../../test/support/nodes/node-process.js';
import { LoadAccounts, type LoadAccountsOptions } from './load-accounts.js';
import { signedTransfers } from './presigner.js';
import { type SubmitResult, Submitter } from './submitter.js';

export interface TransferLoadOptions extends LoadAccountsOptions {
  readonly connections: number;
  readonly inFlight: number;
  readonly batch: number;
  /** Further flags of `heddle start`. */
  readonly nodeFlags: readonly string[];
  /** Data directory; a temporary one if absent. */
  readonly dataDir?: string;
}

export class TransferLoad {
  readonly node: NodeProcess;
  readonly rpc: RpcClient;
  readonly #accounts: LoadAccounts;
  readonly #submitter: Submitter;

  private constructor(parts: {
    node: NodeProcess;
    rpc: RpcClient;
    options: TransferLoadOptions;
    accounts: LoadAccounts;
  }) {
    this.node = parts.node;
    this.rpc = parts.rpc;
    this.#accounts = parts.accounts;
    const { connections, inFlight, batch } = parts.options;
    this.#submitter = new Submitter({ url: parts.node.url, connections, inFlight, batch });
  }

  /** Starts a node and funds the accounts from the development accounts. */
  static async start(options: TransferLoadOptions): Promise<TransferLoad> {
    if (options.accounts % options.connections !== 0) throw new Error('connections must divide accounts');
    const { nodeFlags: flags, dataDir } = options;
    const node = await NodeProcess.start(dataDir === undefined ? { flags } : { flags, dataDir });
    const rpc = new RpcClient(node.url);
    try {
      const accounts = await LoadAccounts.fund(rpc, options);
      return new TransferLoad({ node, rpc, options, accounts });
    } catch (error) {
      rpc.close();
      await node.dispose();
      throw error;
    }
  }

  /** Number of transfers signed so far. */
  get count(): number {
    return this.#accounts.count;
  }

  /** Signs the next `count` transfers. */
  sign(count: number): Promise<Buffer> {
    return this.#accounts.sign(count);
  }

  /**
   * Submits a chunk of signed transfers. Each account stays on one connection only if the size of every chunk is a
   * multiple of the number of connections.
   */
  submit(signed: Buffer): Promise<SubmitResult> {
    return this.#submitter.submit(signedTransfers(signed));
  }

  /** Waits until every signed transfer is in a block; polls rarely, so that it adds no load. */
  async sealed(timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const stats = TxpoolStats.fromJson(await this.rpc.call('txpool_stats'), 'txpool_stats');
      if (stats.size === 0) return;
      if (Date.now() > deadline) throw new Error(`${stats.size} transfers are still pending`);
      await sleep(25);
    }
  }

  /** Checks that the chain counts every signed transfer of the accounts. */
  verifyCount(): Promise<void> {
    return this.#accounts.verifyCount();
  }

  async close(): Promise<void> {
    await this.#accounts.close();
    this.rpc.close();
    await this.node.dispose();
  }
}
