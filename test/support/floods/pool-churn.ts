import { ascii, hex, sha256 } from '../../outside/bytes.js';
import { Signature } from '../../outside/ledger-shapes.js';
import { RpcClient } from '../../outside/rpc.js';
import { envelopeHash, SealedEnvelope } from '../../outside/sealed.js';
import { encode, struct } from '../../outside/shapes.js';
import { nodeStatus } from '../../outside/traffic.js';
import { ed25519Wallet, signTransaction, type Wallet } from '../../outside/wallet.js';
import { type Flood, type FloodAttack, rpcBody } from './flood.js';
import { fundWallets } from './transactions.js';

const SignedEnvelope = struct({ envelope: SealedEnvelope, signature: Signature });

const MONEY = 10n ** 15n;
const CONNECTIONS = 8;
const INPUT_BYTES = 480_000;
const LONG_GAS = 9_000_000n;
const RAISES = 24;
const MEMBERS = 3;
const EXTENSIONS = 16;

/** A long call behind a nonce gap that never closes. */
function longCall(wallet: Wallet, chainId: bigint, nonce: bigint, fee: bigint): string {
  const value = {
    contract: new Uint8Array(20).fill(0x55),
    input: new Uint8Array(INPUT_BYTES).fill(7),
    value: 0n,
  };
  return signTransaction(wallet, {
    chainId,
    nonce,
    maxFee: fee,
    priorityFee: fee,
    gasLimit: LONG_GAS,
    action: { type: 'call', value },
  }).encoded;
}

/**
 * Long calls behind nonce gaps, each replaced for a tenth more, and bundles of them that are extended: none pays a
 * fee.
 */
export const UNPAID_CALLS: Flood = {
  name: 'unpaid-calls',
  attacks: '480 KB calls behind gaps are replaced, and bundles of three of them extended, over 8 connections',
  arm: async ({ url, world }) => {
    const chainId = BigInt(world.chainId);
    const wallets = [1, 2, 3].map((one) => ed25519Wallet(sha256(ascii(`churning ${one}`))));
    await fundWallets(url, chainId, wallets, MONEY);
    const bodies: Buffer[] = [];
    for (let raise = 0, fee = 10n; raise < RAISES; raise++, fee += (fee + 9n) / 10n) {
      for (const wallet of wallets.slice(1)) {
        bodies.push(Buffer.from(rpcBody('tx_submit', { encoded: longCall(wallet, chainId, 1n, fee) })));
      }
    }
    const [bundler] = wallets;
    if (bundler === undefined) throw new Error('no wallet');
    const transactions = Array.from({ length: MEMBERS }, (_, index) =>
      longCall(bundler, chainId, BigInt(1 + index), 10n),
    );
    const height = await tipHeight(url);
    const extensions = Array.from({ length: EXTENSIONS }, (_, step) =>
      Buffer.from(
        rpcBody('tx_submit_bundle', { transactions, max_height: String(height + 200n + BigInt(10 * step)) }),
      ),
    );
    return (attack) => sendInTurn(attack, [...bodies, ...extensions], extensions);
  },
};

/** Sends the bodies of `once` in a cycle, but takes every fourth one from `again`. */
async function sendInTurn(
  attack: FloodAttack,
  once: readonly Buffer[],
  again: readonly Buffer[],
): Promise<void> {
  let sent = 0;
  await attack.keepSending(CONNECTIONS, () => {
    const turn = sent++;
    const body = turn % 4 === 3 ? again[turn % again.length] : once[turn % once.length];
    return body ?? Buffer.alloc(0);
  });
}

const BATCH = 200;
const LANES = 16;
const ENVELOPES = 4_000;
const ENVELOPES_A_SECOND = 4_000;
const ENVELOPE_CONNECTIONS = 16;
const SEALED_GAS = 3_000_000n;
/** Flags of a compressed point; its y is the smaller one. */
const POINT_FLAGS = 0x80;

/**
 * Envelopes with good signatures and a point that is invalid or outside the group; only the full check detects it.
 */
export const SEALED_ENVELOPES: Flood = {
  name: 'sealed-envelopes',
  attacks: '4,000 envelopes a second with good signatures and bad points: the threads that check points',
  arm: async ({ url, world }) => {
    const chainId = BigInt(world.chainId);
    const wallets = [1, 2, 3, 4].map((one) => ed25519Wallet(sha256(ascii(`sealing ${one}`))));
    await fundWallets(url, chainId, wallets, MONEY);
    const opensAt = (await tipHeight(url)) + 500n;
    const encoded = Array.from({ length: ENVELOPES }, (_, index) => {
      const wallet = wallets[index % wallets.length];
      if (wallet === undefined) throw new Error('no wallet');
      return badEnvelope(wallet, chainId, opensAt, index);
    });
    const bodies: Buffer[] = [];
    for (let at = 0; at < encoded.length; at += BATCH) {
      const calls = encoded.slice(at, at + BATCH).map((envelope, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'tx_submit_sealed',
        params: { envelope },
      }));
      bodies.push(Buffer.from(JSON.stringify(calls)));
    }
    return async (attack) => {
      const begin = performance.now();
      let sent = 0;
      await attack.keepSendingPaced(ENVELOPE_CONNECTIONS, () => {
        const body = bodies[sent % bodies.length] ?? Buffer.alloc(0);
        return { body, atMs: begin + (sent++ * BATCH * 1_000) / ENVELOPES_A_SECOND };
      });
    };
  },
};

function badEnvelope(wallet: Wallet, chainId: bigint, opensAt: bigint, index: number): string {
  const u = new Uint8Array(48);
  u.set(sha256(ascii(`point ${index}`)), 16);
  u[0] = POINT_FLAGS;
  const envelope = {
    header: {
      chain_id: chainId,
      sender: wallet.address,
      lane: index % LANES,
      nonce: BigInt(1 + (index % 60)),
      gas_limit: SEALED_GAS,
      max_fee: 10n,
      priority_fee: 0n,
      max_seal_fee: 10n ** 9n,
      opens_at: opensAt,
    },
    u,
    v: new Uint8Array(32),
    w: new Uint8Array(32),
    payload: new Uint8Array(64),
  };
  const signature = wallet.sign(envelopeHash(envelope));
  return `0x${hex(encode(SignedEnvelope, { envelope, signature }))}`;
}

async function tipHeight(url: string): Promise<bigint> {
  const rpc = new RpcClient(url);
  try {
    return (await nodeStatus(rpc)).tip.height;
  } finally {
    rpc.close();
  }
}
