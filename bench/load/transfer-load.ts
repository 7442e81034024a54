// The shared part of the transfer benchmarks: a node of their own, funded accounts, signed chunks, and the count at
// the end that nothing was lost. Formats and calls come from the outside audit, which shares no code with the node.
import { setTimeout as sleep } from 'node:timers/promises';
import { hex, unhex } from '../../test/outside/bytes.js';
import { RpcClient } from '../../test/outside/rpc.js';
import { AccountsResult, TxpoolStats } from '../../test/outside/rpc-shapes.js';
import {
  devAllocation,
  devWallets,
  drained,
  nodeStatus,
  submitEvery,
  Traffic,
} from '../../test/outside/traffic.js';
import { transfer } from '../../test/outside/wallet.js';
import { NodeProcess } from '../../test/support/node-process.js';
import { Presigner } from './presigner.js';
import { type SubmitResult, Submitter } from './submitter.js';

export interface TransferLoadOptions {
  readonly accounts: number;
  readonly connections: number;
  readonly inFlight: number;
  readonly batch: number;
  readonly signers: number;
  /** What every transfer declares. */
  readonly gasLimit: bigint;
  /** Further flags of `heddle start`. */
  readonly nodeFlags: readonly string[];
  /** Absent: a temporary one. */
  readonly dataDir?: string;
}

/** Most transfers of one account that may wait in the pool at a time, for the sender's pending cost. */
const MAX_PENDING = 2_000n;

export class TransferLoad {
  readonly node: NodeProcess;
  readonly rpc: RpcClient;
  readonly #options: TransferLoadOptions;
  readonly #presigner: Presigner;
  readonly #submitter: Submitter;
  readonly #addresses: readonly string[];
  readonly #chainId: bigint;
  readonly #maxFee: bigint;
  #signed = 0;

  private constructor(parts: {
    node: NodeProcess;
    rpc: RpcClient;
    options: TransferLoadOptions;
    presigner: Presigner;
    addresses: readonly string[];
    chainId: bigint;
    maxFee: bigint;
  }) {
    this.node = parts.node;
    this.rpc = parts.rpc;
    this.#options = parts.options;
    this.#presigner = parts.presigner;
    this.#addresses = parts.addresses;
    this.#chainId = parts.chainId;
    this.#maxFee = parts.maxFee;
    const { connections, inFlight, batch } = parts.options;
    this.#submitter = new Submitter({ url: parts.node.url, connections, inFlight, batch });
  }

  /** Starts a node and funds the accounts from the development accounts. */
  static async start(options: TransferLoadOptions): Promise<TransferLoad> {
    if (options.accounts % options.connections !== 0) throw new Error('connections must divide accounts');
    const { nodeFlags: flags, dataDir } = options;
    const node = await NodeProcess.start(dataDir === undefined ? { flags } : { flags, dataDir });
    const rpc = new RpcClient(node.url);
    const presigner = new Presigner(options.signers);
    try {
      const { chain_id: chainId } = await nodeStatus(rpc);
      const addresses = await presigner.addresses(options.accounts);
      const allocation = await devAllocation(rpc);
      const each = allocation.reduce((sum, [, balance]) => sum + balance, 0n) / BigInt(options.accounts * 2);
      const traffic = new Traffic(chainId, 1);
      const payers = devWallets();
      const funding = addresses.flatMap((address, i) => {
        const payer = payers[i % payers.length];
        return payer === undefined ? [] : [traffic.next(payer, { action: transfer(unhex(address), each) })];
      });
      for (let at = 0; at < funding.length; at += 400) {
        await submitEvery(rpc, funding.slice(at, at + 400));
        await drained(rpc);
      }
      const maxFee = each / (MAX_PENDING * options.gasLimit);
      return new TransferLoad({ node, rpc, options, presigner, addresses, chainId, maxFee });
    } catch (error) {
      await presigner.close();
      rpc.close();
      await node.dispose();
      throw error;
    }
  }

  /** How many transfers were signed so far. */
  get count(): number {
    return this.#signed;
  }

  /** Signs the next `count` transfers. */
  async sign(count: number): Promise<Buffer> {
    const start = this.#signed;
    this.#signed += count;
    return await this.#presigner.sign({
      start,
      end: this.#signed,
      accounts: this.#options.accounts,
      firstNonce: 0n,
      chainId: this.#chainId,
      gasLimit: this.#options.gasLimit,
      maxFee: this.#maxFee,
    });
  }

  /**
   * Submits a signed chunk. A connection keeps to the accounts it began with only if chunks are multiples of the number
   * of connections.
   */
  submit(signed: Buffer): Promise<SubmitResult> {
    return this.#submitter.submit(signed);
  }

  /** Waits until every signed transfer is in a block; polls seldom enough not to be a load itself. */
  async sealed(timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const stats = TxpoolStats.fromJson(await this.rpc.call('txpool_stats'), 'txpool_stats');
      if (stats.size === 0) return;
      if (Date.now() > deadline) throw new Error(`${stats.size} transfers are still pending`);
      await sleep(25);
    }
  }

  /** Insists that the chain counts as many transfers of the accounts as were signed. */
  async verifyCount(): Promise<void> {
    let included = 0n;
    for (let at = 0; at < this.#addresses.length; at += 1000) {
      const addresses = this.#addresses.slice(at, at + 1000).map((address) => `0x${address}`);
      const answer = AccountsResult.fromJson(await this.rpc.call('accounts', { addresses }), 'accounts');
      for (const account of answer.accounts) {
        for (const lane of account.lanes) included += lane.next_nonce;
      }
    }
    if (included !== BigInt(this.#signed))
      throw new Error(`${included} of ${this.#signed} transfers are on the chain`);
    const tip = (await nodeStatus(this.rpc)).tip;
    console.log(`  tip ${tip.height} ${hex(tip.hash).slice(0, 16)}…`);
  }

  async close(): Promise<void> {
    await this.#presigner.close();
    this.rpc.close();
    await this.node.dispose();
  }
}
