import { effectivePriorityFee } from '../../ledger/fees.js';
import type { AddressHex, BundleHashHex } from '../../ledger/hex-types.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import type { AccountView } from '../account-view.js';
import { ITEM_OVERHEAD_BYTES } from '../block-fill.js';
import { HeapNode } from '../lanes/heap.js';
import type { PendingTransaction, Reception } from '../pool-types.js';
import type { BundleEnvelope, VerifiedBundle } from './bundle.js';
import { type BundleNeeds, bundleNeeds } from './bundle-needs.js';

/** A lane that a bundle uses, and the nonce that it is first used with. */
export interface UsedLane {
  /** `<sender>/<lane>`. */
  readonly name: string;
  readonly sender: AddressHex;
  readonly lane: number;
  readonly firstNonce: bigint;
}

/**
 * Whether the accounts allow a bundle now: `ready` to be drawn, or `waiting` for nonces or balance. One that was tried and
 * could not be included is `waiting` until an account of its senders changes.
 */
export type BundleStatus = 'ready' | 'waiting';

/** A bundle in the pool. */
export class WaitingBundle {
  /** Its place among those that a block is drawn from. */
  readonly drawNode = new HeapNode<WaitingBundle>(this);
  /** Its place among those that make room. */
  readonly roomNode = new HeapNode<WaitingBundle>(this);
  /** Its place among those that expire. */
  readonly expiryNode = new HeapNode<WaitingBundle>(this);
  readonly members: readonly BundleMember[];
  readonly lanes: readonly UsedLane[];
  readonly senders: ReadonlySet<AddressHex>;
  /** Sum of the encodings of its transactions. */
  readonly bytes: number;
  /** Sum of the gas limits of its transactions. */
  readonly gas: bigint;
  /** The balances that it needs. */
  readonly needs: BundleNeeds;
  status: BundleStatus = 'waiting';
  /** In how many of its lanes it waits for a nonce. */
  behind = 0;
  /** Accounts whose noted balance is too low; kept up to date once the bundle waits for no nonce. */
  readonly #underfunded = new Set<AddressHex>();
  /** Whether a transaction may cost more than all accounts have. */
  #exceedsSupply = false;
  #bundle: VerifiedBundle;
  #priced: { readonly baseFee: bigint; readonly price: bigint } | undefined;

  /** @param reception of the first of its transactions; the others have the arrival numbers that follow */
  constructor(bundle: VerifiedBundle, reception: Reception) {
    this.#bundle = bundle;
    const { transactions } = bundle;
    this.members = transactions.map(
      (transaction, index) =>
        new BundleMember(this, transaction, {
          arrival: reception.arrival + index,
          receivedMs: reception.receivedMs,
        }),
    );
    this.lanes = usedLanes(transactions);
    this.senders = new Set(transactions.map(({ sender }) => sender));
    this.bytes = bundleBytes(transactions);
    this.gas = bundleGas(transactions);
    this.needs = bundleNeeds(transactions);
  }

  /** Whether the balances noted last are enough. */
  get isPayable(): boolean {
    return this.#underfunded.size === 0 && !this.#exceedsSupply;
  }

  /** Notes the balances of all its accounts. */
  noteBalances(accounts: AccountView): void {
    this.#exceedsSupply = this.needs.supply > accounts.supply;
    for (const address of this.needs.balances.keys()) this.noteBalance(address, accounts.balance(address));
  }

  /** Notes the balance of one of its accounts. */
  noteBalance(address: AddressHex, balance: bigint): void {
    if ((this.needs.balances.get(address) ?? 0n) > balance) this.#underfunded.add(address);
    else this.#underfunded.delete(address);
  }

  /** Whether accounts allow it: their next nonces are its first ones, and their balances are enough. */
  isAllowedBy(accounts: AccountView): boolean {
    if (this.needs.supply > accounts.supply) return false;
    for (const { sender, lane, firstNonce } of this.lanes) {
      if (accounts.nextNonce(sender, lane) !== firstNonce) return false;
    }
    for (const [address, needed] of this.needs.balances) {
      if (accounts.balance(address) < needed) return false;
    }
    return true;
  }

  get bundle(): VerifiedBundle {
    return this.#bundle;
  }

  get hashHex(): BundleHashHex {
    return this.#bundle.hashHex;
  }

  /** The last block that may include it, by its own limit and its transactions'. */
  get lastHeight(): bigint | undefined {
    return lastHeight(this.#bundle);
  }

  /** Whether the same transactions with another last height would wait for longer. */
  endsBefore(other: BundleEnvelope): boolean {
    const [own, others] = [this.lastHeight, lastHeight(other)];
    return own !== undefined && (others === undefined || own < others);
  }

  /** Takes the last height of another. Its own transactions stay: the other's may have other signatures. */
  extend({ maxHeight }: BundleEnvelope): void {
    const { hash, hashHex, transactions } = this.#bundle;
    this.#bundle = { hash, hashHex, transactions, ...(maxHeight === undefined ? {} : { maxHeight }) };
  }

  get arrival(): number {
    return this.members[0]?.arrival ?? 0;
  }

  /** What its transactions take of a block's body: a transaction's encoding and the item's variant each. */
  get itemBytes(): number {
    return this.bytes + this.members.length * ITEM_OVERHEAD_BYTES;
  }

  price(baseFee: bigint): bigint {
    if (this.#priced?.baseFee !== baseFee) {
      this.#priced = { baseFee, price: bundlePrice(this.bundle.transactions, baseFee) };
    }
    return this.#priced.price;
  }
}

/** A transaction of a bundle in the pool. */
export class BundleMember {
  /** Links of the list in `bundle-members.ts`. */
  previousDuplicate: BundleMember | undefined;
  nextDuplicate: BundleMember | undefined;
  readonly arrival: number;
  readonly receivedMs: number;

  constructor(
    readonly waiting: WaitingBundle,
    readonly transaction: VerifiedTransaction,
    reception: Reception,
  ) {
    this.arrival = reception.arrival;
    this.receivedMs = reception.receivedMs;
  }

  get address(): AddressHex {
    return this.transaction.sender;
  }

  view(): PendingTransaction {
    const { transaction, arrival, receivedMs, waiting } = this;
    return { transaction, arrival, receivedMs, ready: waiting.status === 'ready' };
  }
}

/**
 * What a bundle pays the proposer per unit of gas: the mean of its transactions' priority prices, weighted by their gas
 * limits and rounded down. Where one of them does not cover the base fee, none can be included: then by how much it lacks,
 * negative.
 */
export function bundlePrice(transactions: readonly TransactionEnvelope[], baseFee: bigint): bigint {
  let paid = 0n;
  let lacking = 0n;
  for (const { signed } of transactions) {
    const price = effectivePriorityFee(signed.transaction, baseFee);
    if (price < lacking) lacking = price;
    paid += price * signed.transaction.gas_limit;
  }
  return lacking < 0n ? lacking : paid / bundleGas(transactions);
}

export function bundleGas(transactions: readonly TransactionEnvelope[]): bigint {
  return transactions.reduce((sum, { signed }) => sum + signed.transaction.gas_limit, 0n);
}

export function bundleBytes(transactions: readonly TransactionEnvelope[]): number {
  return transactions.reduce((sum, { encoded }) => sum + encoded.length, 0);
}

/** The lanes that transactions use, each with the nonce that it is first used with. */
export function usedLanes(transactions: readonly TransactionEnvelope[]): readonly UsedLane[] {
  const lanes = new Map<string, UsedLane>();
  for (const { sender, signed } of transactions) {
    const { lane, nonce } = signed.transaction;
    const name = laneName(sender, lane);
    if (!lanes.has(name)) lanes.set(name, { name, sender, lane, firstNonce: nonce });
  }
  return [...lanes.values()];
}

export function laneName(sender: AddressHex, lane: number): string {
  return `${sender}/${lane}`;
}

function lastHeight({ maxHeight, transactions }: BundleEnvelope): bigint | undefined {
  let last = maxHeight;
  for (const { signed } of transactions) {
    const { valid_until: until } = signed.transaction;
    if (until !== undefined && (last === undefined || until < last)) last = until;
  }
  return last;
}
