import { setTimeout as sleep } from 'node:timers/promises';
import { ascii, hex, sha256 } from '../../outside/bytes.js';
import { SignedTransaction } from '../../outside/ledger-shapes.js';
import { RpcClient } from '../../outside/rpc.js';
import { Account } from '../../outside/rpc-shapes.js';
import { encode } from '../../outside/shapes.js';
import { submitEvery, Traffic } from '../../outside/traffic.js';
import { devWallet, ed25519Wallet, signTransaction, transfer, type Wallet } from '../../outside/wallet.js';
import { text } from '../hex.js';
import type { Flood, FloodAttack } from './flood.js';
import type { FloodWorld } from './flood-world.js';

const NOBODY = new Uint8Array(20).fill(0x5a);
const BATCH = 200;
/** The account that funds the floods; nothing else uses its lanes. */
const PAYER = 3;
const FORGED = 4;

function submissions(encoded: readonly string[]): Buffer {
  return Buffer.from(
    JSON.stringify(
      encoded.map((each, id) => ({ jsonrpc: '2.0', id, method: 'tx_submit', params: { encoded: each } })),
    ),
  );
}

const BAD_A_SECOND = 8_000;
const BAD_CONNECTIONS = 16;

/** Another transaction's signature: well formed, so that only the full curve check detects it. */
export const BAD_SIGNATURES: Flood = {
  name: 'bad-signatures',
  attacks:
    '8,000 transfers a second whose signature is of another transaction: the threads that check signatures',
  arm: async ({ world, seconds }) => {
    const wallet = devWallet(FORGED);
    const chainId = BigInt(world.chainId);
    const { signed } = signTransaction(wallet, { chainId, nonce: 0n, action: transfer(NOBODY, 1n) });
    const bodies: Buffer[] = [];
    // Distinct transfers for ten seconds are enough, because the node does not remember refused ones.
    for (let made = 0; made < BAD_A_SECOND * Math.min(10, Math.ceil(seconds)); made += BATCH) {
      const encoded = Array.from({ length: BATCH }, (_, i) => {
        const transaction = { ...signed.transaction, action: transfer(NOBODY, BigInt(2 + made + i)) };
        return `0x${hex(encode(SignedTransaction, { ...signed, transaction }))}`;
      });
      bodies.push(submissions(encoded));
    }
    return async (attack) => {
      const begin = performance.now();
      let sent = 0;
      await attack.keepSendingPaced(BAD_CONNECTIONS, () => {
        const body = bodies[sent % bodies.length] ?? Buffer.alloc(0);
        return { body, atMs: begin + (sent++ * BATCH * 1_000) / BAD_A_SECOND };
      });
    };
  },
};

const LANES = 16;
const NONCES = 64;
const AN_ACCOUNT = LANES * NONCES;
const LISTERS = 16;
/** Balance of an account: enough for the maximum cost of its transfers. */
const MONEY = 10n ** 12n;

/** Transfers that all wait behind a missing first one, and then listings of these transfers. */
export function pendingTransfers(count: number): Flood {
  return {
    name: 'pending-transfers',
    attacks: `${count.toLocaleString('en')} transfers wait behind nonces that never come, while 16 connections list them`,
    // A quarter of the pool may wait behind gaps.
    nodeFlags: ['--pool-size', String(4 * count)],
    arm: async ({ url, world }) => {
      const transfers = await WaitingTransfers.fund(url, world, Math.ceil(count / AN_ACCOUNT), count);
      return async (attack) => {
        await transfers.submit(attack);
        let asked = 0;
        await attack.keepSending(LISTERS, () => (asked++ % 2 === 0 ? LIST : STATS));
      };
    },
  };
}

/** Transfers behind nonce gaps, up to as many as their senders may have waiting. */
export class WaitingTransfers {
  /** Addresses of the senders, each of which uses 16 lanes. */
  readonly addresses: readonly string[];
  readonly #bodies: readonly Buffer[];

  private constructor(addresses: readonly string[], encoded: readonly string[]) {
    this.addresses = addresses;
    const bodies: Buffer[] = [];
    for (let at = 0; at < encoded.length; at += BATCH)
      bodies.push(submissions(encoded.slice(at, at + BATCH)));
    this.#bodies = bodies;
  }

  /** Funds the accounts and signs `count` transfers, by default as many as may wait. */
  static async fund(
    url: string,
    world: FloodWorld,
    accounts: number,
    count: number = accounts * AN_ACCOUNT,
  ): Promise<WaitingTransfers> {
    const chainId = BigInt(world.chainId);
    const wallets = Array.from({ length: accounts }, (_, i) => ed25519Wallet(sha256(ascii(`waiting ${i}`))));
    await fundWallets(url, chainId, wallets, MONEY);
    const encoded = wallets.flatMap((wallet) => waiting(wallet, chainId)).slice(0, count);
    return new WaitingTransfers(
      wallets.map(({ address }) => text(address)),
      encoded,
    );
  }

  async submit(attack: FloodAttack): Promise<void> {
    await submitOnce(attack, this.#bodies);
  }
}

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'list_pending_txs', params: { limit: 500 } });
const STATS = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'txpool_stats', params: {} });

async function submitOnce(attack: FloodAttack, bodies: readonly Buffer[]): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: LISTERS }, async () => {
      const connection = attack.connect();
      for (let body = bodies[next++]; body !== undefined && !attack.isOver; body = bodies[next++]) {
        await attack.send(connection, body);
      }
    }),
  );
}

async function payerLane(rpc: RpcClient) {
  const params = { address: text(devWallet(PAYER).address) };
  const { lanes } = Account.fromJson(await rpc.call('account', params), 'account');
  return lanes.find(({ lane }) => lane === 0);
}

/** Funds each wallet with an amount, and waits until it has arrived. */
export async function fundWallets(
  url: string,
  chainId: bigint,
  wallets: readonly Wallet[],
  amount: bigint,
): Promise<void> {
  const rpc = new RpcClient(url);
  try {
    const traffic = new Traffic(chainId, 1);
    const payer = devWallet(PAYER);
    // An earlier flood may have had the same payer.
    traffic.resume(payer, 0, (await payerLane(rpc))?.next_nonce ?? 0n);
    await submitEvery(
      rpc,
      wallets.map(({ address }) => traffic.next(payer, { action: transfer(address, amount) })),
    );
    while (((await payerLane(rpc))?.pending ?? 0) > 0) await sleep(20);
  } finally {
    rpc.close();
  }
}

/** All gapped transactions that one account may have waiting. */
function waiting(wallet: Wallet, chainId: bigint): string[] {
  return Array.from({ length: AN_ACCOUNT }, (_, i) => {
    const [lane, nonce] = [i % LANES, BigInt(1 + Math.floor(i / LANES))];
    const action = transfer(NOBODY, 1n);
    return signTransaction(wallet, { chainId, lane, nonce, maxFee: 10n, action }).encoded;
  });
}
