import { createHash } from 'node:crypto';
import type { Action, Transaction } from '../../../src/generated/ledger.js';
import { type AddressHex, addressHex, transactionHashHex } from '../../../src/ledger/hex-types.js';
import type { VerifiedTransaction } from '../../../src/ledger/transaction-envelope.js';
import { bundleOf, type VerifiedBundle } from '../../../src/mempool/bundles/bundle.js';
import type { BundleRemoval } from '../../../src/mempool/bundles/bundle-book.js';
import type { PoolJournal } from '../../../src/mempool/journal/journal.js';
import { Mempool } from '../../../src/mempool/pool.js';
import {
  type AccountView,
  type AdmitBundleResult,
  type AdmitResult,
  DEFAULT_POOL_LIMITS,
  type NextBlockContext,
  type PoolLimits,
  type Removal,
} from '../../../src/mempool/pool-types.js';
import type { UnpaidBytes } from '../../../src/mempool/unpaid-bytes.js';
import { asVerified } from '../crypto/as-verified.js';

export const CHAIN_ID = 7n;
const RICH = 10n ** 30n;

/** The fields of a transaction that a test sets; the rest is ordinary. */
export interface TransactionSpec {
  /** A name, from which the address is derived. */
  readonly from?: string;
  readonly lane?: number;
  readonly nonce?: number | bigint;
  readonly maxFee?: number | bigint;
  readonly tip?: number | bigint;
  readonly gas?: number | bigint;
  readonly validUntil?: number | bigint;
  readonly amount?: number | bigint;
  readonly chainId?: bigint;
  readonly action?: Action;
  /** Size of the transaction's encoding. */
  readonly bytes?: number;
}

/** The address of a named account. */
export function addressOf(name: string): AddressHex {
  return addressHex(createHash('sha256').update(name).digest().subarray(0, 20));
}

/** A transaction as the pool sees it. Its encoding has the requested size and unique bytes. */
export function poolTransaction(spec: TransactionSpec = {}): VerifiedTransaction {
  const sender = addressOf(spec.from ?? 'alice');
  const transaction: Transaction = {
    chain_id: spec.chainId ?? CHAIN_ID,
    sender: Buffer.from(sender, 'hex'),
    lane: spec.lane ?? 0,
    nonce: BigInt(spec.nonce ?? 0),
    gas_limit: BigInt(spec.gas ?? 30_000),
    max_fee: BigInt(spec.maxFee ?? 1_000),
    priority_fee: BigInt(spec.tip ?? 10),
    ...(spec.validUntil === undefined ? {} : { valid_until: BigInt(spec.validUntil) }),
    action: spec.action ?? {
      type: 'transfer',
      value: { to: Buffer.from(addressOf('bob'), 'hex'), amount: BigInt(spec.amount ?? 1) },
    },
  };
  const text = JSON.stringify(transaction, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
  const hash = createHash('sha256').update(text).digest();
  const encoded = new Uint8Array(spec.bytes ?? 200);
  encoded.set(hash.subarray(0, encoded.length));
  return asVerified({
    hash,
    hashHex: transactionHashHex(hash),
    sender,
    encoded,
    signed: {
      transaction,
      signature: {
        type: 'ed25519',
        value: { public_key: new Uint8Array(32), signature: new Uint8Array(64) },
      },
    },
  });
}

/** The fields of an envelope that a test sets. */
export interface EnvelopeSpec extends Omit<TransactionSpec, 'gas' | 'validUntil' | 'amount' | 'action'> {
  readonly opensAt: number | bigint;
  /** Number of opening slots in a block of 30,000,000 gas; default 1. */
  readonly slots?: number;
  /** Default: enough for any price. */
  readonly maxSealFee?: number | bigint;
}

/** An envelope as the pool sees it. */
export function poolEnvelope(spec: EnvelopeSpec): VerifiedTransaction {
  const { slots = 1, opensAt, maxSealFee = 10n ** 12n, ...common } = spec;
  const gas = 2_025_000n + (30_000_000n / 64n) * BigInt(slots);
  const open = poolTransaction({ ...common, gas, validUntil: BigInt(opensAt) - 1n });
  const { transaction, signature } = open.signed;
  const { valid_until: _, action: __, ...header } = transaction;
  const envelope = {
    header: { ...header, max_seal_fee: BigInt(maxSealFee), opens_at: BigInt(opensAt) },
    u: new Uint8Array(48),
    v: new Uint8Array(32),
    w: new Uint8Array(32),
    payload: new Uint8Array(0),
  };
  const hash = createHash('sha256').update(open.hash).update(`${opensAt}/${maxSealFee}/${slots}`).digest();
  return asVerified({
    ...open,
    hash,
    hashHex: transactionHashHex(hash),
    signed: { transaction: { ...transaction, action: { type: 'sealed', value: envelope } }, signature },
  });
}

/** A bundle of pool transactions. */
export function poolBundle(
  specs: readonly (TransactionSpec | VerifiedTransaction)[],
  maxHeight?: bigint,
): VerifiedBundle {
  const transactions = specs.map((spec) => ('hashHex' in spec ? spec : poolTransaction(spec)));
  return bundleOf(transactions, maxHeight, {
    sha256: (bytes) => createHash('sha256').update(bytes).digest(),
  });
}

/** The accounts of a test's chain; accounts that the test does not set up are rich and unused. */
export class TestAccounts implements AccountView {
  readonly supply = 10n ** 34n;
  readonly #nonces = new Map<string, bigint>();
  readonly #balances = new Map<string, bigint>();
  readonly #lanesUsed = new Map<string, number>();

  nextNonce(address: AddressHex, lane: number): bigint {
    return this.#nonces.get(`${address}/${lane}`) ?? 0n;
  }

  balance(address: AddressHex): bigint {
    return this.#balances.get(address) ?? RICH;
  }

  lanesUsed(address: AddressHex): number {
    return this.#lanesUsed.get(address) ?? 0;
  }

  setNonce(name: string, lane: number, nonce: bigint): void {
    this.#nonces.set(`${addressOf(name)}/${lane}`, nonce);
  }

  setBalance(name: string, balance: bigint): void {
    this.#balances.set(addressOf(name), balance);
  }

  setLanesUsed(name: string, lanes: number): void {
    this.#lanesUsed.set(addressOf(name), lanes);
  }

  /** As if a block had included the transaction. */
  use({ sender, signed }: VerifiedTransaction): void {
    const { lane, nonce } = signed.transaction;
    this.#nonces.set(`${sender}/${lane}`, nonce + 1n);
  }
}

/** A pool on a chain advanced by the test. */
export class PoolWorld {
  readonly accounts: TestAccounts;
  readonly removals: Removal[] = [];
  readonly bundleRemovals: BundleRemoval[] = [];
  readonly pool: Mempool;
  /** Permanent reasons to refuse transactions and bundles. */
  readonly out = new Map<string, string>();
  clockMs = 0;
  /** Opening slots reserved at heights after the tip. */
  readonly reserved = new Map<bigint, number>();
  /** Notified of unpaid removals, as on a node. */
  unpaid: Pick<UnpaidBytes, 'recordUnpaid'> | undefined;
  /** Notified of removals, as on a node. */
  journal: Pick<PoolJournal, 'recordRemoval'> | undefined;
  head: NextBlockContext = { height: 10n, baseFee: 1n, slotPrice: 2_000_000n, gasLimit: 30_000_000n };
  #arrival = 0;

  constructor(
    limits: Partial<PoolLimits> = {},
    head: Partial<NextBlockContext> = {},
    accounts = new TestAccounts(),
  ) {
    this.accounts = accounts;
    this.head = { ...this.head, ...head };
    this.pool = new Mempool({
      chainId: CHAIN_ID,
      head: this.head,
      limits: { ...DEFAULT_POOL_LIMITS, ...limits },
      accounts: this.accounts,
      reservedAt: (opensAt) => this.reserved.get(opensAt) ?? 0,
      now: () => this.clockMs,
      rejectionReason: (hashHex) => this.out.get(hashHex),
      onRemoval: (departure) => {
        this.removals.push(departure);
        this.journal?.recordRemoval(departure.transaction, departure.reason);
        this.unpaid?.recordUnpaid(departure.transaction, departure.transaction.encoded.length);
      },
      onBundleRemoval: (departure) => {
        this.bundleRemovals.push(departure);
        this.journal?.recordRemoval(departure.bundle, departure.reason);
      },
    });
  }

  offer(transaction: VerifiedTransaction): AdmitResult {
    this.#arrival++;
    return this.pool.admit(transaction, { arrival: this.#arrival, receivedMs: 1_000 + this.#arrival });
  }

  /** Offers a transaction that must be accepted. */
  add(spec: TransactionSpec = {}): VerifiedTransaction {
    const transaction = poolTransaction(spec);
    const result = this.offer(transaction);
    if (!result.admitted) throw result.error;
    return transaction;
  }

  /** Offers a transaction that must be refused. Returns the reason. */
  refuse(spec: TransactionSpec = {}): string {
    const result = this.offer(poolTransaction(spec));
    if (result.admitted) throw new Error('the pool took a transaction that it should have refused');
    return result.error.reason;
  }

  offerBundle(bundle: VerifiedBundle): AdmitBundleResult {
    const reception = { arrival: this.#arrival + 1, receivedMs: 1_000 + this.#arrival };
    this.#arrival += bundle.transactions.length;
    return this.pool.admitBundle(bundle, reception);
  }

  /** Offers a bundle that must be accepted. */
  addBundle(specs: readonly (TransactionSpec | VerifiedTransaction)[], maxHeight?: bigint): VerifiedBundle {
    const bundle = poolBundle(specs, maxHeight);
    const result = this.offerBundle(bundle);
    if (!result.admitted) throw result.error;
    return bundle;
  }

  /** Offers a bundle that must be refused. Returns the reason. */
  refuseBundle(specs: readonly (TransactionSpec | VerifiedTransaction)[], maxHeight?: bigint): string {
    const result = this.offerBundle(poolBundle(specs, maxHeight));
    if (result.admitted) throw new Error('the pool took a bundle that it should have refused');
    return result.error.reason;
  }

  select(
    space: { gasLimit?: bigint; maxBytes?: number; maxTransactions?: number } = {},
  ): readonly VerifiedTransaction[] {
    const reservedAt = (opensAt: bigint) => this.reserved.get(opensAt) ?? 0;
    return this.pool.select({ ...this.head, reservedAt, ...space }).transactions;
  }

  /** Makes a block of these transactions the tip. */
  seal(
    included: readonly VerifiedTransaction[],
    next: { baseFee?: bigint; slotPrice?: bigint; changed?: string[] } = {},
  ): void {
    for (const transaction of included) this.accounts.use(transaction);
    this.head = {
      ...this.head,
      height: this.head.height + 1n,
      baseFee: next.baseFee ?? this.head.baseFee,
      slotPrice: next.slotPrice ?? this.head.slotPrice,
    };
    this.pool.applyBlock({ head: this.head, included, changed: (next.changed ?? []).map(addressOf) });
  }

  reasonOf(transaction: VerifiedTransaction): string | undefined {
    return this.pool.removal(transaction.hashHex)?.reason;
  }
}

/** Nonces, for short assertions. */
export function noncesOf(transactions: readonly VerifiedTransaction[]): number[] {
  return transactions.map(({ signed }) => Number(signed.transaction.nonce));
}
