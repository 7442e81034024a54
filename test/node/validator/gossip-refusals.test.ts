// Checks for each refusal reason whether the receiver drops the validator that gossiped the transaction. Uses real
// meshes, pool and admission.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { devAccount, signTransaction } from '../../../src/client/client.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import type { SealedEnvelope, Transaction } from '../../../src/generated/ledger.js';
import type { GossipItem } from '../../../src/generated/mesh.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { Admission, type AdmissionOptions } from '../../../src/mempool/admission.js';
import { isOfBytesAlone, REJECTION_REASONS, type RejectionReason } from '../../../src/mempool/errors.js';
import { PoolJournal } from '../../../src/mempool/journal/journal.js';
import { Mempool } from '../../../src/mempool/pool.js';
import { type AccountView, DEFAULT_POOL_LIMITS, type PoolLimits } from '../../../src/mempool/pool-types.js';
import { UNPAID_LIMITS, UnpaidBytes } from '../../../src/mempool/unpaid-bytes.js';
import type { Mesh } from '../../../src/network/mesh.js';
import { TransactionGossip } from '../../../src/node/validator/transaction-gossip.js';
import { asVerified } from '../../support/crypto/as-verified.js';
import { MeshWorld, until } from '../../support/networks/mesh-world.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';

const crypto = await loadCrypto('auto');
const sender = devAccount(0);
const CHAIN_ID = 7n;
const NEXT_HEIGHT = 10n;

type SingleItem = Exclude<GossipItem, { readonly type: 'bundle' }>;

interface Refused {
  /** Conditions that make the receiver refuse the item. */
  readonly limits?: Partial<PoolLimits>;
  readonly account?: Partial<{ nonce: bigint; balance: bigint; lanes: number }>;
  readonly isIncluded?: boolean;
  /** An item that is in the receiver's pool before the gossip. */
  readonly earlier?: () => Promise<SingleItem>;
  readonly item: () => Promise<SingleItem>;
}

async function transaction(members: Partial<Transaction> = {}): Promise<SingleItem> {
  const { encoded } = await signTransaction(
    {
      chain_id: CHAIN_ID,
      sender: sender.address,
      lane: 0,
      nonce: 0n,
      gas_limit: 100_000n,
      max_fee: 10n,
      priority_fee: 1n,
      action: { type: 'transfer', value: { to: devAccount(1).address, amount: 1n } },
      ...members,
    },
    sender,
  );
  return { type: 'transaction', value: encoded };
}

/** An envelope that is refused before its signature is checked. */
async function envelope(opensAt: bigint, payloadBytes: number): Promise<SingleItem> {
  const sealed: SealedEnvelope = {
    header: {
      chain_id: CHAIN_ID,
      sender: sender.address,
      lane: 0,
      nonce: 0n,
      gas_limit: 10_000_000n,
      max_fee: 10n,
      priority_fee: 1n,
      max_seal_fee: 10n ** 9n,
      opens_at: opensAt,
    },
    u: new Uint8Array(48),
    v: new Uint8Array(32),
    w: new Uint8Array(32),
    payload: new Uint8Array(payloadBytes),
  };
  const value = ledger.SignedEnvelope.encode({
    envelope: sealed,
    signature: {
      type: 'ed25519',
      value: { public_key: new Uint8Array(32), signature: new Uint8Array(64) },
    },
  });
  return { type: 'sealed', value };
}

const CASES: Readonly<Record<RejectionReason, Refused>> = {
  bad_signature: {
    item: async () => {
      const { type, value } = await transaction();
      value[value.length - 1] = (value.at(-1) ?? 0) ^ 1;
      return { type, value };
    },
  },
  wrong_chain: { item: () => transaction({ chain_id: 8n }) },
  too_large: { item: () => envelope(NEXT_HEIGHT + 5n, 65_537) },
  over_pool_limit: {
    limits: { maxTransactionBytes: 1_024 },
    item: () => {
      const value = { contract: new Uint8Array(20), input: new Uint8Array(2_000), value: 0n };
      return transaction({ gas_limit: 1_000_000n, action: { type: 'call', value } });
    },
  },
  too_many_lanes: { account: { lanes: 256 }, item: () => transaction({ lane: 256 }) },
  opens_too_late: { item: () => envelope(NEXT_HEIGHT + 1_001n, 100) },
  nonce_too_low: { account: { nonce: 1n }, item: () => transaction() },
  nonce_gap_too_large: { item: () => transaction({ nonce: 1_000n }) },
  insufficient_balance: { account: { balance: 0n }, item: () => transaction() },
  fee_too_low: { limits: { minFee: 11n }, item: () => transaction() },
  gas_limit_too_low: { item: () => transaction({ gas_limit: 1n }) },
  gas_limit_too_high: { item: () => transaction({ gas_limit: 2n ** 40n }) },
  expired: { item: () => transaction({ valid_until: NEXT_HEIGHT - 1n }) },
  already_known: { account: { nonce: 1n }, isIncluded: true, item: () => transaction() },
  pool_full: {
    limits: { maxPendingLanes: 1 },
    earlier: () => transaction({ lane: 1 }),
    item: () => transaction(),
  },
  replacement_underpriced: {
    earlier: () => transaction(),
    item: () => transaction({ valid_until: 100n }),
  },
};

describe('a validator that forwards refused transactions', () => {
  let world: MeshWorld;
  let directory: string;
  let journal: PoolJournal;
  let receiver: Mesh;
  let peer: Mesh;
  const refusals: RejectionReason[] = [];

  beforeEach(async () => {
    directory = temporaryDirectory();
    ({ journal } = await PoolJournal.open(directory));
    world = await MeshWorld.open();
    const [one, other] = await world.connected(2, {
      timing: { firstBanMs: 60_000, maxBanWithoutQuorumMs: 60_000 },
    });
    assert.ok(one !== undefined && other !== undefined);
    [receiver, peer] = [one, other];
  });

  afterEach(async () => {
    await world.stop();
    await journal.close();
    removeDirectory(directory);
  });

  /** Creates the pool into which the receiver admits gossip. */
  function openPool({ limits, account = {}, isIncluded = false }: Refused) {
    const { nonce = 0n, balance = 10n ** 30n, lanes = 0 } = account;
    const accounts: AccountView = {
      supply: 10n ** 34n,
      nextNonce: () => nonce,
      balance: () => balance,
      lanesUsed: () => lanes,
    };
    const pool = new Mempool({
      chainId: CHAIN_ID,
      head: { height: NEXT_HEIGHT, baseFee: 1n, slotPrice: 2_000_000n, gasLimit: 500_000_000n },
      limits: { ...DEFAULT_POOL_LIMITS, ...limits },
      accounts,
      now: () => 0,
      rejectionReason: () => undefined,
      onRemoval: () => undefined,
      onBundleRemoval: () => undefined,
    });
    const checker: AdmissionOptions['checker'] = {
      ask: (given, _client, { resolve }) => {
        const { public_key, signature } = given.signed.signature.value;
        resolve(crypto.ed25519.verify(signature, given.hash, public_key) ? asVerified(given) : undefined);
      },
    };
    const options: Omit<AdmissionOptions, 'journal'> = {
      pool,
      checker,
      checkPoint: async () => true,
      now: () => 0,
      isIncluded: () => isIncluded,
      unpaid: new UnpaidBytes(UNPAID_LIMITS, () => 0),
      onJournalError: (error) => assert.fail(String(error)),
      onRefused: (reason) => refusals.push(reason),
      onAdmitted: () => undefined,
      onBundle: () => undefined,
    };
    const admission = new Admission({ ...options, journal });
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined };
    const gossip = new TransactionGossip({
      mesh: receiver,
      admission,
      pool,
      crypto,
      maxBundleTransactions: 64,
      log: { ...log, error: (fields: object) => assert.fail(JSON.stringify(fields)) },
    });
    return { gossip, pool };
  }

  const faults = () => receiver.peers()[0]?.faults.get('misbehaved') ?? 0;

  for (const reason of REJECTION_REASONS) {
    const isDropped = isOfBytesAlone(reason);
    it(`is ${isDropped ? '' : 'not '}dropped for ${reason}`, async () => {
      const refused = CASES[reason];
      const { pool } = openPool(refused);
      if (refused.earlier !== undefined) {
        peer.send(0, 'transactions', { items: [await refused.earlier()] });
        await until('the earlier one is in the pool', () => pool.size === 1);
      }
      refusals.length = 0;
      peer.send(0, 'transactions', { items: [await refused.item()] });
      await until('it is refused', () => refusals.length === 1);
      assert.deepEqual(refusals, [reason]);
      if (isDropped) await until('the peer is dropped', () => faults() === 1);
      else await world.settle();
      assert.equal(faults(), isDropped ? 1 : 0);
      assert.equal(receiver.peers()[0]?.connected, !isDropped);
    });
  }

  it('gets one fault for a frame with nine such items, and for three such frames', async () => {
    openPool({ item: () => transaction() });
    refusals.length = 0;
    const items = await Promise.all(
      Array.from({ length: 9 }, (_, nonce) => transaction({ chain_id: 8n, nonce: BigInt(nonce) })),
    );
    for (let frame = 0; frame < 3; frame++) {
      peer.send(0, 'transactions', { items: items.map(({ type, value }) => ({ type, value })) });
    }
    await until('the peer is dropped', () => faults() > 0);
    await world.settle();
    assert.equal(faults(), 1);
  });
});
