// A reproducible mix of transactions, and the calls that submit it.
import { setTimeout as sleep } from 'node:timers/promises';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { mersenne } from 'pure-rand/generator/mersenne';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { ascii, hex, sha256 } from './bytes.js';
import type { RpcClient, RpcFailure } from './rpc.js';
import { AccountsResult, Status, TxpoolStats, TxSubmitResult } from './rpc-shapes.js';
import {
  devWallet,
  ed25519Wallet,
  type SentTransaction,
  secp256k1Wallet,
  signTransaction,
  type TransactionFields,
  transfer,
  type Wallet,
} from './wallet.js';

/** A seeded pseudo-random generator. */
export class Random {
  readonly #generator: RandomGenerator;

  constructor(seed: number) {
    this.#generator = mersenne(seed);
  }

  /** An integer from 0 to `bound` − 1. */
  below(bound: number): number {
    return uniformInt(this.#generator, 0, bound - 1);
  }

  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const [a, b] = [shuffled[i], shuffled[j]];
      if (a !== undefined && b !== undefined) [shuffled[i], shuffled[j]] = [b, a];
    }
    return shuffled;
  }
}

/** Signs for several wallets and lanes and counts their nonces. */
export class Traffic {
  readonly random: Random;
  readonly #chainId: bigint;
  readonly #nonces = new Map<string, bigint>();
  #fresh = 0;

  constructor(chainId: bigint, seed: number) {
    this.#chainId = chainId;
    this.random = new Random(seed);
  }

  /** Signs with the lane's next nonce. */
  next(wallet: Wallet, fields: Omit<TransactionFields, 'chainId' | 'nonce'>): SentTransaction {
    const key = `${hex(wallet.address)}/${fields.lane ?? 0}`;
    const nonce = this.#nonces.get(key) ?? 0n;
    this.#nonces.set(key, nonce + 1n);
    return signTransaction(wallet, { ...fields, chainId: this.#chainId, nonce });
  }

  /** The lane's next nonce after all transactions that this generator has signed. */
  nonce(wallet: Wallet, lane: number): bigint {
    return this.#nonces.get(`${hex(wallet.address)}/${lane}`) ?? 0n;
  }

  /** Continues a lane from the node's nonce. */
  resume(wallet: Wallet, lane: number, nonce: bigint): void {
    this.#nonces.set(`${hex(wallet.address)}/${lane}`, nonce);
  }

  freshAddress(): Uint8Array {
    this.#fresh += 1;
    return sha256(ascii(`somebody new ${this.#fresh}`)).slice(0, 20);
  }

  /**
   * One transaction of the mix: mostly transfers to other wallets, new addresses or the sender itself, and some that
   * fail.
   */
  mixed(wallet: Wallet, others: readonly Wallet[], lanes: number): SentTransaction {
    const random = this.random;
    const lane = random.below(lanes);
    const priorityFee = BigInt(random.below(4) * random.below(1000));
    const common = { lane, priorityFee, maxFee: 10_000_000n };
    const other = others[random.below(others.length)]?.address ?? wallet.address;
    switch (random.below(10)) {
      case 0:
        return this.next(wallet, {
          ...common,
          action: transfer(this.freshAddress(), BigInt(random.below(5))),
        });
      case 1:
        return this.next(wallet, { ...common, action: transfer(wallet.address, 12_345n) });
      case 2:
        return this.next(wallet, { ...common, action: this.#failing(other) });
      case 3:
        return this.next(wallet, { ...common, validUntil: 1_000_000n, action: transfer(other, 0n) });
      default:
        return this.next(wallet, { ...common, action: transfer(other, BigInt(1 + random.below(1_000_000))) });
    }
  }

  /** A call or a batch of calls to an address without a contract. */
  #failing(to: Uint8Array): TransactionFields['action'] {
    const call = { contract: to, input: Uint8Array.of(1, 2, 3, 4, 5), value: BigInt(this.random.below(3)) };
    return this.random.below(2) === 0
      ? { type: 'call', value: call }
      : { type: 'batch', value: [call, { ...call, input: new Uint8Array() }] };
  }
}

export interface Submission {
  readonly accepted: readonly SentTransaction[];
  readonly refused: readonly { readonly sent: SentTransaction; readonly failure: RpcFailure }[];
}

/** Submits in JSON-RPC batches and sorts the answers. */
export async function submitAll(rpc: RpcClient, sent: readonly SentTransaction[]): Promise<Submission> {
  const calls = sent.map(({ encoded }) => ({ method: 'tx_submit', params: { encoded } }));
  const answers = await rpc.batch(calls);
  const accepted: SentTransaction[] = [];
  const refused: { sent: SentTransaction; failure: RpcFailure }[] = [];
  sent.forEach((entry, i) => {
    const answer = answers[i];
    if (answer === undefined) throw new Error(`no answer to submission ${i}`);
    if ('failure' in answer) {
      refused.push({ sent: entry, failure: answer.failure });
      return;
    }
    const result = TxSubmitResult.fromJson(answer.result, 'tx_submit');
    if (hex(result.tx_hash) !== entry.hash)
      throw new Error(`${entry.hash} was taken as ${hex(result.tx_hash)}`);
    accepted.push(entry);
  });
  return { accepted, refused };
}

/** Submits and asserts that everything is accepted. */
export async function submitEvery(rpc: RpcClient, sent: readonly SentTransaction[]): Promise<void> {
  const { refused } = await submitAll(rpc, sent);
  const [first] = refused;
  if (first !== undefined)
    throw new Error(`${refused.length} of ${sent.length} refused`, { cause: first.failure });
}

export async function nodeStatus(rpc: RpcClient): Promise<Status> {
  return Status.fromJson(await rpc.call('status'), 'status');
}

/** Waits until nothing is pending. */
export async function drained(rpc: RpcClient, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const stats = TxpoolStats.fromJson(await rpc.call('txpool_stats'), 'txpool_stats');
    if (stats.size === 0) return;
    if (Date.now() > deadline) {
      throw new Error(
        `${stats.size} still pending (${stats.ready} ready, ${stats.gapped} gapped) after ${timeoutMs} ms`,
      );
    }
    await sleep(20);
  }
}

export const DEV_ACCOUNTS = 10;

export function devWallets(): readonly Wallet[] {
  return Array.from({ length: DEV_ACCOUNTS }, (_, i) => devWallet(i));
}

/** Unfunded wallets of both schemes. */
export function newWallets(count: number, seed: string): readonly Wallet[] {
  return Array.from({ length: count }, (_, i) => {
    const key = sha256(ascii(`${seed} ${i}`));
    return i % 2 === 0 ? secp256k1Wallet(key) : ed25519Wallet(key);
  });
}

/**
 * The dev genesis balances of the ten accounts, read from a chain without transactions. The state root of block 0
 * shows that there are no other accounts.
 */
export async function devAllocation(rpc: RpcClient): Promise<readonly (readonly [Uint8Array, bigint])[]> {
  const params = { addresses: devWallets().map((wallet) => `0x${hex(wallet.address)}`) };
  const { accounts } = AccountsResult.fromJson(await rpc.call('accounts', params), 'accounts');
  return accounts.map((account) => [account.address, account.balance] as const);
}
