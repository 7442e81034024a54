import { devAccount, type Signer, signTransaction } from '../../../../src/client/client.js';
import { ed25519Address } from '../../../../src/crypto/address.js';
import type { GossipItem } from '../../../../src/generated/mesh.js';
import { ledger } from '../../../../src/ledger/codecs.js';
import { DEV_CHAIN_ID } from '../../../../src/ledger/dev-genesis.js';
import { sealedEnvelopeHash } from '../../../../src/ledger/transaction-envelope.js';
import { encodedFrames } from './attack-link.js';
import type { Rogue } from './rogue.js';
import { random, shortestOf } from './sample-frames.js';

/** Share of the allowed gossip; the excess would be skipped unread. */
const SHARE = 0.8;
/** Items of one frame, and different frames that are sent in turn. */
const ITEMS = 512;
const FRAMES = 4;
const WAIT_MS = 3_000;

/**
 * Transactions that decode, each with a good signature, from accounts without a balance: they cost their sender
 * nothing; alone, sealed and in bundles. Every eighth is sent again and again within a frame.
 */
export async function floodGossip(rogue: Rogue): Promise<void> {
  const frames: Buffer[] = [];
  while (frames.length < FRAMES && !rogue.isOver) {
    const items: GossipItem[] = [];
    while (items.length < ITEMS) {
      const value = await transfer(stranger(rogue), 0n);
      const copies = items.length % 64 === 0 ? 8 : 1;
      for (let copy = 0; copy < copies; copy++) items.push({ type: 'transaction', value });
    }
    items.push({ type: 'sealed', value: await envelope(rogue, stranger(rogue)) });
    const parts = await Promise.all([0n, 1n].map((nonce) => transfer(stranger(rogue), nonce)));
    items.push({ type: 'bundle', value: { transactions: parts } });
    frames.push(encodedFrames('transactions', { items }));
  }
  const empty = encodedFrames('transactions', { items: [] });
  await rogue.atRate('transactions', SHARE, (count) => frames[count % (2 * FRAMES)] ?? empty);
}

/** Frames with one item each that proves a fault: every one costs the connection. */
export async function sendBadGossip(rogue: Rogue): Promise<void> {
  // The signature of an account without a balance is not even looked at.
  const signer = devAccount(5);
  const good = await transfer(signer, 1n);
  const unsigned = Uint8Array.from(good);
  unsigned.set(random(32), unsigned.length - 32);
  const sealed = await envelope(rogue, signer);
  const otherSealed = Uint8Array.from(sealed);
  otherSealed.set(random(32), otherSealed.length - 32);
  const bad: readonly GossipItem[] = [
    { type: 'transaction', value: random(300) },
    { type: 'transaction', value: unsigned },
    { type: 'sealed', value: random(300) },
    { type: 'sealed', value: otherSealed },
    { type: 'bundle', value: { transactions: [] } },
    { type: 'bundle', value: { transactions: [good, random(300)] } },
  ];
  let next = 0;
  await rogue.onEachLink(async (link) => {
    const item = bad[next++ % bad.length];
    if (item === undefined) return;
    await rogue.send(link, 'transactions', { items: Array.from({ length: ITEMS }, () => item) });
    const until = performance.now() + WAIT_MS;
    while (!rogue.isOver && link.isOpen && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    link.hangUp();
  });
}

/** An account that nobody has ever paid. */
function stranger({ forge: { crypto } }: Rogue): Signer {
  const seed = random(32);
  const publicKey = crypto.ed25519.publicKey(seed);
  return {
    scheme: 'ed25519',
    publicKey,
    address: ed25519Address(crypto, publicKey),
    sign: (hash) => ({
      type: 'ed25519',
      value: { public_key: publicKey, signature: crypto.ed25519.sign(hash, seed) },
    }),
  };
}

async function transfer(signer: Signer, nonce: bigint): Promise<Uint8Array> {
  const { encoded } = await signTransaction(
    {
      chain_id: DEV_CHAIN_ID,
      sender: signer.address,
      lane: 0,
      nonce,
      gas_limit: 100_000n,
      max_fee: 1_000n,
      priority_fee: 1n,
      action: { type: 'transfer', value: { to: signer.address, amount: 1n } },
    },
    signer,
  );
  return encoded;
}

/** An envelope that its sender has signed and that holds nothing; `u` is no point. */
async function envelope({ forge: { crypto } }: Rogue, signer: Signer): Promise<Uint8Array> {
  const empty = ledger.SignedEnvelope.decode(shortestOf('envelope', ledger.SignedEnvelope));
  const changed = {
    ...empty.envelope,
    header: {
      ...empty.envelope.header,
      chain_id: DEV_CHAIN_ID,
      sender: signer.address,
      gas_limit: 3_000_000n,
      max_fee: 1_000n,
      opens_at: 500n,
    },
    u: random(48),
  };
  const hash = sealedEnvelopeHash(ledger.SealedEnvelope.encode(changed), crypto);
  return ledger.SignedEnvelope.encode({ envelope: changed, signature: await signer.sign(hash) });
}
