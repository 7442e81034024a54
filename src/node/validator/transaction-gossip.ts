import { LeakyBuckets } from '../../async/gcra.js';
import { Throttle } from '../../base/throttle.js';
import type { Log } from '../../config/log.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { GossipItem } from '../../generated/mesh.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import type { CandidateHashHex } from '../../ledger/hex-types.js';
import type { VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import type { Admission } from '../../mempool/admission.js';
import type { VerifiedBundle } from '../../mempool/bundles/bundle.js';
import { isOfBytesAlone, TransactionError } from '../../mempool/errors.js';
import type { Mempool } from '../../mempool/pool.js';
import type { Mesh, MeshPeer } from '../../network/mesh.js';
import { decodeItem, type Gossiped, inFrames, transactionsIn } from './gossip-items.js';

/** Maximum number of a peer's transactions in admission; further ones are dropped. */
const MAX_IN_FLIGHT = 8_192;
/** Interval of sends: under load, a frame with many transactions costs hardly more than a frame with one. */
const FLUSH_INTERVAL_MS = 10;
/**
 * Rate limit of a peer's useless transactions, which are refused or already known; beyond it, the peer's gossip is
 * skipped for a while. Such a transaction costs the peer no signature, but costs this node a decoding and a hash.
 */
const USELESS = { perSecond: 5_000, burst: 20_000 };
/** Minimum interval between log records of failed admissions. */
const NOTE_MS = 5_000;
/** Maximum number of local transactions and bundles kept for peers that connect, and the number left after an eviction. */
const MAX_OWN = 20_000;
const OWN_LEFT = 15_000;

type Outcome = 'admitted' | 'useless' | { readonly fault: string };

export interface TransactionGossipOptions {
  readonly mesh: Mesh;
  readonly admission: Admission;
  readonly pool: Pick<Mempool, 'standalone' | 'bundle'>;
  readonly maxBundleTransactions: number;
  readonly crypto: Crypto;
  readonly log: Log;
}

/**
 * Sends transactions and bundles to the other validators, each once, and a bundle again when it is extended. Only those
 * submitted at this node are sent: all validators are connected to each other, so the other nodes send theirs. A newly
 * connected peer receives the pending ones. A bundle counts as its transactions in all limits.
 */
export class TransactionGossip {
  readonly #options: TransactionGossipOptions;
  /** What was submitted here, in order of arrival. */
  readonly #own = new Map<CandidateHashHex, Gossiped<VerifiedTransaction>>();
  /** What peers have sent and is being admitted. */
  readonly #admitting = new Set<CandidateHashHex>();
  readonly #inFlight = new Map<string, number>();
  readonly #useless = new LeakyBuckets<string>(USELESS, () => performance.now());
  #outbox: Gossiped<VerifiedTransaction>[] = [];
  #flushedAt = Number.NEGATIVE_INFINITY;
  readonly #failureNotes = new Throttle(NOTE_MS);

  constructor(options: TransactionGossipOptions) {
    this.#options = options;
    const { mesh } = options;
    mesh.on('transactions', (peer, { items }) => this.#onPeerMessage(peer, items));
    mesh.onConnected((peer) => this.#onPeerConnected(peer));
  }

  admitted(transactions: readonly VerifiedTransaction[]): void {
    for (const transaction of transactions) {
      if (this.#admitting.has(transaction.hashHex)) continue;
      // The parts of a bundle are sent with it: they must not be included without one another.
      if (this.#options.pool.standalone(transaction.hashHex) === undefined) continue;
      this.#send({ type: 'transaction', value: transaction });
    }
  }

  bundleAdmitted(bundle: VerifiedBundle): void {
    if (!this.#admitting.has(bundle.hashHex)) this.#send({ type: 'bundle', value: bundle });
  }

  #send(one: Gossiped<VerifiedTransaction>): void {
    this.#rememberOwn(one);
    if (this.#outbox.length === 0) this.#scheduleFlush();
    this.#outbox.push(one);
  }

  #scheduleFlush(): void {
    const tell = () => this.#flushOutbox();
    const waitMs = this.#flushedAt + FLUSH_INTERVAL_MS - performance.now();
    if (waitMs <= 0) setImmediate(tell);
    else setTimeout(tell, waitMs).unref();
  }

  #flushOutbox(): void {
    this.#flushedAt = performance.now();
    const all = this.#outbox;
    this.#outbox = [];
    const { mesh } = this.#options;
    for (const items of inFrames(all)) mesh.broadcast('transactions', { items });
  }

  #rememberOwn(one: Gossiped<VerifiedTransaction>): void {
    this.#own.set(one.value.hashHex, one);
    if (this.#own.size <= MAX_OWN) return;
    this.#forgetSettled();
    // Evicts in batches: a scan of all entries for each new one would cost too much.
    for (const hashHex of this.#own.keys()) {
      if (this.#own.size <= OWN_LEFT) break;
      this.#own.delete(hashHex);
    }
  }

  #forgetSettled(): void {
    const { pool } = this.#options;
    for (const [hashHex, one] of this.#own) {
      const pooled =
        one.type === 'bundle' ? pool.bundle(one.value.hashHex) : pool.standalone(one.value.hashHex);
      if (pooled === undefined) this.#own.delete(hashHex);
    }
  }

  #onPeerConnected({ identity }: MeshPeer): void {
    this.#forgetSettled();
    // The batch sent at the end of this tick reaches the new peer too.
    const later = new Set<CandidateHashHex>(this.#outbox.map(({ value }) => value.hashHex));
    const waiting = [...this.#own.values()].filter(({ value }) => !later.has(value.hashHex));
    for (const items of inFrames(waiting)) {
      if (!this.#options.mesh.send(identity, 'transactions', { items })) return;
    }
  }

  /** Never rejects. */
  async #onPeerMessage({ identity }: MeshPeer, items: readonly GossipItem[]): Promise<void> {
    if (!this.#useless.hasRoom(identity)) return;
    const inFlight = this.#inFlight.get(identity) ?? 0;
    const { taken, transactions } = within(items, MAX_IN_FLIGHT - inFlight);
    this.#inFlight.set(identity, inFlight + transactions);
    try {
      const outcomes = await Promise.all(taken.map((item) => this.#take(identity, item)));
      const refused = taken.filter((_, at) => outcomes[at] !== 'admitted');
      const useless = refused.reduce((sum, item) => sum + transactionsIn(item), 0);
      this.#useless.charge(identity, useless);
      // At most one fault per frame, however many items are bad.
      const bad = outcomes.find((outcome) => typeof outcome === 'object');
      if (bad !== undefined) this.#options.mesh.drop(identity, bad.fault);
    } finally {
      const left = (this.#inFlight.get(identity) ?? 0) - transactions;
      if (left > 0) this.#inFlight.set(identity, left);
      else this.#inFlight.delete(identity);
    }
  }

  /** Never rejects. @returns a fault if the item's bytes alone prove one */
  async #take(identity: string, item: GossipItem): Promise<Outcome> {
    const { crypto, maxBundleTransactions, log } = this.#options;
    if (transactionsIn(item) === 0) return { fault: 'an empty bundle' };
    if (transactionsIn(item) > maxBundleTransactions) return 'useless';
    let gossiped: Gossiped;
    try {
      gossiped = decodeItem(item, crypto);
    } catch (error) {
      if (error instanceof BorshError) return { fault: 'gossip that is not a transaction' };
      log.error({ err: error }, 'could not process a transaction from a validator');
      return 'useless';
    }
    const { hashHex } = gossiped.value;
    if (this.#admitting.has(hashHex) || this.#isKnown(gossiped)) return 'useless';
    this.#admitting.add(hashHex);
    try {
      await this.#admit(identity, gossiped);
      return 'admitted';
    } catch (error) {
      if (!(error instanceof TransactionError)) {
        if (this.#failureNotes.admits(performance.now()))
          log.warn({ err: error }, 'could not admit a transaction from a validator');
      } else if (isOfBytesAlone(error.reason)) {
        return { fault: `an inadmissible transaction: ${error.reason}` };
      }
    } finally {
      this.#admitting.delete(hashHex);
    }
    return 'useless';
  }

  /** A known bundle may come again with a later last height, which admission decides without checking signatures. */
  #isKnown({ type, value }: Gossiped): boolean {
    return type === 'transaction' && this.#options.pool.standalone(value.hashHex) !== undefined;
  }

  /** @throws TransactionError */
  async #admit(identity: string, { type, value }: Gossiped): Promise<void> {
    const { admission } = this.#options;
    const client = { client: `validator ${identity}`, isRelay: true } as const;
    if (type === 'bundle') await admission.submitBundle(value, client);
    else await admission.submit(value, client);
  }
}

/** The first items that together hold at most `room` transactions. */
function within(items: readonly GossipItem[], room: number) {
  const taken: GossipItem[] = [];
  let transactions = 0;
  for (const item of items) {
    const more = transactions + transactionsIn(item);
    if (more > room) break;
    taken.push(item);
    transactions = more;
  }
  return { taken, transactions };
}
