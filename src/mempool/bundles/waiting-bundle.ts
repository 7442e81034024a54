import { effectivePriorityFee } from '../../ledger/fees.js';
import { type AddressHex, addressHex, type BundleHashHex } from '../../ledger/hex-types.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import { ITEM_OVERHEAD_BYTES } from '../block-fill.js';
import { HeapNode } from '../lanes/heap.js';
import type { AccountView, PendingTransaction, Reception } from '../pool-types.js';
import { transactionCost } from '../prices.js';
import type { BundleEnvelope, VerifiedBundle } from './bundle.js';

/** A lane used by a bundle, with its first nonce there. */
export interface UsedLane {
  readonly sender: AddressHex;
  readonly lane: number;
  readonly firstNonce: bigint;
}

/**
 * Whether the accounts allow a bundle now: `ready` to be drawn, or `waiting` for nonces or balance. A bundle that was
 * tried and could not be included is `waiting` until one of its senders' accounts changes.
 */
export type BundleStatus = 'ready' | 'waiting';

export class WaitingBundle {
  /** Node in the heap of drawable bundles. */
  readonly drawNode = new HeapNode<WaitingBundle>(this);
  /** Node in the heap of bundles to evict. */
  readonly roomNode = new HeapNode<WaitingBundle>(this);
  /** Node in the heap of expiring bundles. */
  readonly expiryNode = new HeapNode<WaitingBundle>(this);
  readonly members: readonly BundleMember[];
  readonly lanes: readonly UsedLane[];
  readonly senders: ReadonlySet<AddressHex>;
  /** Encoded size of its transactions. */
  readonly bytes: number;
  readonly gas: bigint;
  readonly needs: BundleNeeds;
  status: BundleStatus = 'waiting';
  /** Number of lanes in which the bundle waits for a nonce. */
  behind = 0;
  /** Accounts whose balance was too low at the last update; maintained once the bundle waits for no nonce. */
  readonly #underfunded = new Set<AddressHex>();
  #exceedsSupply = false;
  #bundle: VerifiedBundle;
  #priced: { readonly baseFee: bigint; readonly price: bigint } | undefined;

  /** @param reception arrival of the first transaction; the others get the following arrival numbers */
  constructor(bundle: VerifiedBundle, reception: Reception) {
    this.#bundle = bundle;
    const { transactions } = bundle;
    const { arrival, receivedMs } = reception;
    this.members = transactions.map(
      (transaction, index) => new BundleMember(this, transaction, { arrival: arrival + index, receivedMs }),
    );
    this.lanes = usedLanes(transactions);
    this.senders = new Set(transactions.map(({ sender }) => sender));
    this.bytes = bundleBytes(transactions);
    this.gas = bundleGas(transactions);
    this.needs = bundleNeeds(transactions);
  }

  /** True if the balances were sufficient at the last update. */
  get isPayable(): boolean {
    return this.#underfunded.size === 0 && !this.#exceedsSupply;
  }

  noteBalances(accounts: AccountView): void {
    this.#exceedsSupply = this.needs.supply > accounts.supply;
    for (const address of this.needs.balances.keys()) this.noteBalance(address, accounts.balance(address));
  }

  noteBalance(address: AddressHex, balance: bigint): void {
    if ((this.needs.balances.get(address) ?? 0n) > balance) this.#underfunded.add(address);
    else this.#underfunded.delete(address);
  }

  /** True if the accounts' next nonces are the bundle's first ones and the balances suffice. */
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

  /** Last height at which the bundle may be included, by its own limit and those of its transactions. */
  get lastHeight(): bigint | undefined {
    return lastHeight(this.#bundle);
  }

  endsBefore(other: BundleEnvelope): boolean {
    const [own, others] = [this.lastHeight, lastHeight(other)];
    return own !== undefined && (others === undefined || own < others);
  }

  /** Adopts another's last height, but not its transactions, which may carry different signatures. */
  extend({ maxHeight }: BundleEnvelope): void {
    const { hash, hashHex, transactions } = this.#bundle;
    this.#bundle = { hash, hashHex, transactions, ...(maxHeight === undefined ? {} : { maxHeight }) };
  }

  get arrival(): number {
    return this.members[0]?.arrival ?? 0;
  }

  /** Total size of its transactions as block items. */
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
 * A bundle's price per unit of gas for the proposer: the mean priority price of its transactions, weighted by gas
 * limit and rounded down. If a transaction does not cover the base fee, the bundle cannot be included, and the result
 * is the largest shortfall as a negative number.
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

/** The lanes that transactions use, each with the first nonce. */
export function usedLanes(transactions: readonly TransactionEnvelope[]): readonly UsedLane[] {
  const lanes = new Map<string, UsedLane>();
  for (const { sender, signed } of transactions) {
    const { lane, nonce } = signed.transaction;
    const name = laneName(sender, lane);
    if (!lanes.has(name)) lanes.set(name, { sender, lane, firstNonce: nonce });
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

/** Balances that a bundle needs; they depend only on the bundle. */
interface BundleNeeds {
  /** Minimum balance of each account before the bundle, if above 0. */
  readonly balances: ReadonlyMap<AddressHex, bigint>;
  /** Minimum total supply: the highest cost of a transaction that follows one running code. */
  readonly supply: bigint;
}

/** Precomputes `checkBalances` of `bundle-rules.ts`, so that a check takes one comparison per account. */
function bundleNeeds(transactions: readonly TransactionEnvelope[]): BundleNeeds {
  const spent = new Map<AddressHex, bigint>();
  const balances = new Map<AddressHex, bigint>();
  let supply = 0n;
  let behindCode = false;
  for (const { sender, signed } of transactions) {
    const { transaction } = signed;
    const cost = transactionCost(transaction);
    const before = spent.get(sender) ?? 0n;
    if (behindCode) {
      if (cost > supply) supply = cost;
    } else if (before + cost > (balances.get(sender) ?? 0n)) balances.set(sender, before + cost);
    const { action } = transaction;
    behindCode ||= action.type !== 'transfer';
    if (action.type !== 'transfer') continue;
    spent.set(sender, before + cost);
    const to = addressHex(action.value.to);
    spent.set(to, (spent.get(to) ?? 0n) - action.value.amount);
  }
  return { balances, supply };
}
