import { hex, unhex } from '../../test/outside/bytes.js';
import type { RpcClient } from '../../test/outside/rpc.js';
import { AccountsResult } from '../../test/outside/rpc-shapes.js';
import {
  devAllocation,
  devWallets,
  drained,
  nodeStatus,
  submitEvery,
  Traffic,
} from '../../test/outside/traffic.js';
import { transfer } from '../../test/outside/wallet.js';
import { Presigner } from './presigner.js';

export interface LoadAccountsOptions {
  readonly accounts: number;
  /** Number of signing threads. */
  readonly signers: number;
  /** Gas limit of every transfer. */
  readonly gasLimit: bigint;
}

/** Maximum pending transfers of one account, because of the limit on a sender's pending cost. */
const MAX_PENDING = 2_000n;

/** Accounts that take turns sending transfers; the development accounts fund them. */
export class LoadAccounts {
  readonly #rpc: RpcClient;
  readonly #options: LoadAccountsOptions;
  readonly #presigner: Presigner;
  readonly #addresses: readonly string[];
  readonly #chainId: bigint;
  readonly #maxFee: bigint;
  #signed = 0;

  private constructor(parts: {
    rpc: RpcClient;
    options: LoadAccountsOptions;
    presigner: Presigner;
    addresses: readonly string[];
    chainId: bigint;
    maxFee: bigint;
  }) {
    this.#rpc = parts.rpc;
    this.#options = parts.options;
    this.#presigner = parts.presigner;
    this.#addresses = parts.addresses;
    this.#chainId = parts.chainId;
    this.#maxFee = parts.maxFee;
  }

  /** Funds the accounts and waits until the funding is in blocks. */
  static async fund(rpc: RpcClient, options: LoadAccountsOptions): Promise<LoadAccounts> {
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
      return new LoadAccounts({ rpc, options, presigner, addresses, chainId, maxFee });
    } catch (error) {
      await presigner.close();
      throw error;
    }
  }

  /** Number of transfers signed so far. */
  get count(): number {
    return this.#signed;
  }

  /** Signs the next `count` transfers, rotating over the accounts. */
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

  /** Number of transfers that the chain counts as included. */
  async included(): Promise<number> {
    let included = 0n;
    for (let at = 0; at < this.#addresses.length; at += 1000) {
      const addresses = this.#addresses.slice(at, at + 1000).map((address) => `0x${address}`);
      const answer = AccountsResult.fromJson(await this.#rpc.call('accounts', { addresses }), 'accounts');
      for (const account of answer.accounts) {
        for (const lane of account.lanes) included += lane.next_nonce;
      }
    }
    return Number(included);
  }

  /** Checks that the chain counts every signed transfer of the accounts. */
  async verifyCount(): Promise<void> {
    const included = await this.included();
    if (included !== this.#signed)
      throw new Error(`${included} of ${this.#signed} transfers are on the chain`);
    const { tip } = await nodeStatus(this.#rpc);
    console.log(`  tip ${tip.height} ${hex(tip.hash).slice(0, 16)}…`);
  }

  async close(): Promise<void> {
    await this.#presigner.close();
  }
}
