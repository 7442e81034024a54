import { setTimeout as sleep } from 'node:timers/promises';
import { ascii, sha256 } from '../../outside/bytes.js';
import { RpcClient } from '../../outside/rpc.js';
import { drained, nodeStatus, submitEvery, Traffic } from '../../outside/traffic.js';
import { devWallet, ed25519Wallet, signTransaction, transfer, type Wallet } from '../../outside/wallet.js';
import { LoopbackConnection } from '../floods/loopback-connection.js';
import { text } from '../hex.js';

export interface ReadYourWritesOptions {
  readonly url: string;
  /** Number of receipts to wait for, each followed by a read of the state. */
  readonly rounds: number;
  /** Concurrent senders; each has one transfer in flight at a time. */
  readonly senders: number;
  /** One read in this many uses a new connection. */
  readonly freshEvery: number;
}

export interface ReadYourWritesReport {
  readonly rounds: number;
  /** Rounds whose read used a new connection. */
  readonly fresh: number;
  readonly seconds: number;
  /** The first few stale reads. */
  readonly stale: readonly string[];
  readonly staleCount: number;
}

const MONEY = 10n ** 15n;
const MAX_TOLD = 10;
const FUNDED_AT_ONCE = 400;
const NOBODY = new Uint8Array(20).fill(0x5b);

interface AccountJson {
  readonly balance: string;
  readonly lanes: readonly { readonly lane: number; readonly next_nonce: number }[];
}

interface SubmitJson {
  readonly status: { readonly type: string };
  readonly receipt?: { readonly height: number; readonly nonce: number; readonly fee: string };
}

/**
 * Checks that a client with a receipt sees the resulting state on every connection: each sender waits for its
 * transfer's receipt on one connection and reads its account on another, where the nonce and the balance must match the
 * receipt to the unit.
 */
export async function readYourWrites(options: ReadYourWritesOptions): Promise<ReadYourWritesReport> {
  const { url, rounds, senders } = options;
  const wallets = Array.from({ length: senders }, (_, i) => ed25519Wallet(sha256(ascii(`reader ${i}`))));
  const chainId = await fund(url, wallets);
  const check = new Check(options, chainId);
  const begin = performance.now();
  let left = rounds;
  const next = (): boolean => left-- > 0;
  await Promise.all(wallets.map((wallet) => check.run(wallet, next)));
  return { ...check.report, seconds: (performance.now() - begin) / 1_000 };
}

async function fund(url: string, wallets: readonly Wallet[]): Promise<bigint> {
  const rpc = new RpcClient(url);
  try {
    const { chain_id: chainId } = await nodeStatus(rpc);
    const traffic = new Traffic(chainId, 1);
    for (let at = 0; at < wallets.length; at += FUNDED_AT_ONCE) {
      await submitEvery(
        rpc,
        wallets
          .slice(at, at + FUNDED_AT_ONCE)
          .map(({ address }) => traffic.next(devWallet(5), { action: transfer(address, MONEY) })),
      );
      await drained(rpc);
    }
    return chainId;
  } finally {
    rpc.close();
  }
}

class Check {
  readonly #options: ReadYourWritesOptions;
  readonly #chainId: bigint;
  readonly #stale: string[] = [];
  #staleCount = 0;
  #rounds = 0;
  #fresh = 0;

  constructor(options: ReadYourWritesOptions, chainId: bigint) {
    this.#options = options;
    this.#chainId = chainId;
  }

  get report(): Omit<ReadYourWritesReport, 'seconds'> {
    return { rounds: this.#rounds, fresh: this.#fresh, stale: this.#stale, staleCount: this.#staleCount };
  }

  /** One sender's rounds. */
  async run(wallet: Wallet, next: () => boolean): Promise<void> {
    const { url, freshEvery } = this.#options;
    const writes = new LoopbackConnection(url, '127.0.0.1');
    const reads = new LoopbackConnection(url, '127.0.0.1');
    let balance = MONEY;
    try {
      for (let nonce = 0; next(); nonce++) {
        const { fee, height } = await this.#transfer(writes, wallet, nonce);
        balance -= 1n + fee;
        const isFresh = this.#rounds++ % freshEvery === 0;
        if (isFresh) this.#fresh++;
        const connection = isFresh ? new LoopbackConnection(url, '127.0.0.1') : reads;
        const account = (await call(connection, 'account', { address: text(wallet.address) })) as AccountJson;
        if (isFresh) connection.close();
        const seen = account.lanes.find(({ lane }) => lane === 0)?.next_nonce ?? 0;
        if (seen === nonce + 1 && BigInt(account.balance) === balance) continue;
        this.#staleCount++;
        if (this.#stale.length < MAX_TOLD) {
          const isOn = isFresh ? 'a fresh connection' : 'another connection';
          this.#stale.push(
            `after the receipt of nonce ${nonce} at height ${height} ${isOn} saw nonce ${seen} and ${account.balance}, not ${balance}`,
          );
        }
      }
    } finally {
      writes.close();
      reads.close();
    }
  }

  /** Sends a transfer and waits for its receipt, retrying if the node answers without one or asks for a retry. */
  async #transfer(
    connection: LoopbackConnection,
    wallet: Wallet,
    nonce: number,
  ): Promise<{ readonly fee: bigint; readonly height: number }> {
    const { encoded, hash } = signTransaction(wallet, {
      chainId: this.#chainId,
      nonce: BigInt(nonce),
      maxFee: 1_000_000n,
      action: transfer(NOBODY, 1n),
    });
    const params = { encoded, wait: { type: 'included' }, timeout_ms: 20_000 };
    const { receipt, status } = (await call(connection, 'tx_submit', params)) as SubmitJson;
    if (receipt !== undefined) return { fee: BigInt(receipt.fee), height: receipt.height };
    for (let tries = 0; tries < 200; tries++) {
      const later = (await call(connection, 'tx_receipt', { tx_hash: hash })) as Pick<SubmitJson, 'receipt'>;
      if (later.receipt !== undefined)
        return { fee: BigInt(later.receipt.fee), height: later.receipt.height };
      await sleep(50);
    }
    throw new Error(`${hash} has no receipt: ${JSON.stringify(status)}`);
  }
}

async function call(connection: LoopbackConnection, method: string, params: unknown): Promise<unknown> {
  const { body } = await connection.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const { result, error } = JSON.parse(body.toString()) as {
    readonly result?: unknown;
    readonly error?: unknown;
  };
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}
