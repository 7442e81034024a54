import { Throttle } from '../../base/throttle.js';
import type { Log } from '../../config/log.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { GossipItem } from '../../generated/mesh.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import type { TransactionHashHex } from '../../ledger/hex-types.js';
import {
  envelopeFromEncoded,
  type TransactionEnvelope,
  transactionFromEncoded,
  type VerifiedTransaction,
} from '../../ledger/transaction-envelope.js';
import type { Admission } from '../../mempool/admission.js';
import { isOfBytesAlone, TransactionError } from '../../mempool/errors.js';
import type { Mempool } from '../../mempool/pool.js';
import type { Mesh, MeshPeer } from '../../network/mesh.js';
import { TokenBucket } from '../../network/rate-limit.js';

/** Limits of one frame, in items and in bytes; both are below the mesh's own limits. */
const MAX_ITEMS = 4_096;
const MAX_BYTES = 512 * 1024;
/** Maximum number of a peer's transactions in admission; further ones are dropped. */
const MAX_IN_FLIGHT = 8_192;
/** Interval of sends: under load, a frame with many transactions costs hardly more than a frame with one. */
const FLUSH_INTERVAL_MS = 10;
/**
 * Rate limit of a peer's useless items, which are refused or already known; beyond it, the peer's gossip is skipped for
 * a while. Such an item costs the peer no signature, but costs this node a decoding and a hash.
 */
const USELESS = { perSecond: 5_000, burst: 20_000 };
/** Minimum interval between log records of failed admissions. */
const NOTE_MS = 5_000;
/** Maximum number of local transactions kept for peers that connect, and the number left after an eviction. */
const MAX_OWN = 20_000;
const OWN_LEFT = 15_000;

/** The outcome of a peer's item. */
type Outcome = 'admitted' | 'useless' | { readonly fault: string };

export interface TransactionGossipOptions {
  readonly mesh: Pick<Mesh, 'on' | 'onConnected' | 'send' | 'broadcast' | 'drop'>;
  readonly admission: Pick<Admission, 'submit'>;
  readonly pool: Pick<Mempool, 'get' | 'standalone'>;
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly log: Log;
}

/**
 * Sends transactions to the other validators, each once. Only transactions submitted at this node are sent: all
 * validators are connected to each other, so the other nodes send theirs. A newly connected peer receives the pending
 * ones.
 */
export class TransactionGossip {
  readonly #options: TransactionGossipOptions;
  /** Transactions submitted here, in order of arrival. */
  readonly #own = new Map<TransactionHashHex, VerifiedTransaction>();
  /** Transactions from peers whose admission is in progress. */
  readonly #admitting = new Set<TransactionHashHex>();
  readonly #inFlight = new Map<string, number>();
  /** Remaining allowance of useless items, by peer. */
  readonly #useless = new Map<string, TokenBucket>();
  /** Transactions of the next frames. */
  #outbox: VerifiedTransaction[] = [];
  #flushedAt = Number.NEGATIVE_INFINITY;
  readonly #failureNotes = new Throttle(NOTE_MS);

  constructor(options: TransactionGossipOptions) {
    this.#options = options;
    const { mesh } = options;
    mesh.on('transactions', (peer, { items }) => this.#onPeerMessage(peer, items));
    mesh.onConnected((peer) => this.#onPeerConnected(peer));
  }

  /** Called when transactions enter the pool. */
  admitted(transactions: readonly VerifiedTransaction[]): void {
    for (const transaction of transactions) {
      if (this.#admitting.has(transaction.hashHex)) continue;
      // A bundle is included whole or not at all: others must not see its parts.
      if (this.#options.pool.standalone(transaction.hashHex) === undefined) continue;
      this.#rememberOwn(transaction);
      if (this.#outbox.length === 0) this.#scheduleFlush();
      this.#outbox.push(transaction);
    }
  }

  #scheduleFlush(): void {
    const tell = () => this.#flushOutbox();
    const waitMs = this.#flushedAt + FLUSH_INTERVAL_MS - performance.now();
    if (waitMs <= 0) setImmediate(tell);
    else setTimeout(tell, waitMs).unref();
  }

  #flushOutbox(): void {
    this.#flushedAt = performance.now();
    const transactions = this.#outbox;
    this.#outbox = [];
    const { mesh } = this.#options;
    for (const items of inFrames(transactions)) mesh.broadcast('transactions', { items });
  }

  #rememberOwn(transaction: VerifiedTransaction): void {
    this.#own.set(transaction.hashHex, transaction);
    if (this.#own.size <= MAX_OWN) return;
    this.#forgetSettled();
    // Evicts in batches: a scan of all entries for each new one would cost too much.
    for (const hashHex of this.#own.keys()) {
      if (this.#own.size <= OWN_LEFT) break;
      this.#own.delete(hashHex);
    }
  }

  #forgetSettled(): void {
    for (const hashHex of this.#own.keys()) {
      if (this.#options.pool.standalone(hashHex) === undefined) this.#own.delete(hashHex);
    }
  }

  #onPeerConnected({ identity }: MeshPeer): void {
    this.#forgetSettled();
    // The batch sent at the end of this tick reaches the new peer too.
    const later = new Set(this.#outbox.map(({ hashHex }) => hashHex));
    const waiting = [...this.#own.values()].filter(({ hashHex }) => !later.has(hashHex));
    for (const items of inFrames(waiting)) {
      if (!this.#options.mesh.send(identity, 'transactions', { items })) return;
    }
  }

  /** Never rejects. */
  async #onPeerMessage({ identity }: MeshPeer, items: readonly GossipItem[]): Promise<void> {
    const useless = this.#uselessOf(identity);
    if (!useless.has(1, performance.now())) return;
    const inFlight = this.#inFlight.get(identity) ?? 0;
    const taken = items.slice(0, Math.max(0, MAX_IN_FLIGHT - inFlight));
    this.#inFlight.set(identity, inFlight + taken.length);
    try {
      const outcomes = await Promise.all(taken.map((item) => this.#take(identity, item)));
      useless.spend(outcomes.filter((outcome) => outcome !== 'admitted').length, performance.now());
      // At most one fault per frame, however many items are bad.
      const bad = outcomes.find((outcome) => typeof outcome === 'object');
      if (bad !== undefined) this.#options.mesh.drop(identity, bad.fault);
    } finally {
      const left = (this.#inFlight.get(identity) ?? 0) - taken.length;
      if (left > 0) this.#inFlight.set(identity, left);
      else this.#inFlight.delete(identity);
    }
  }

  #uselessOf(identity: string): TokenBucket {
    const known = this.#useless.get(identity);
    if (known !== undefined) return known;
    const bucket = new TokenBucket(USELESS.perSecond, USELESS.burst, performance.now());
    this.#useless.set(identity, bucket);
    return bucket;
  }

  /** Never rejects. @returns a fault if the item's bytes alone prove one */
  async #take(identity: string, item: GossipItem): Promise<Outcome> {
    const { admission, pool, crypto, log } = this.#options;
    let transaction: TransactionEnvelope;
    try {
      transaction = envelopeOf(item, crypto);
    } catch (error) {
      if (error instanceof BorshError) return { fault: 'gossip that is not a transaction' };
      log.error({ err: error }, 'could not process a transaction from a validator');
      return 'useless';
    }
    const { hashHex } = transaction;
    if (this.#admitting.has(hashHex) || pool.get(hashHex) !== undefined) return 'useless';
    this.#admitting.add(hashHex);
    try {
      await admission.submit(transaction, { client: `validator ${identity}`, isRelay: true });
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
}

/** @throws BorshError */
function envelopeOf({ type, value }: GossipItem, crypto: Pick<Crypto, 'sha256'>): TransactionEnvelope {
  return type === 'sealed' ? envelopeFromEncoded(value, crypto) : transactionFromEncoded(value, crypto);
}

/** Splits transactions into as few frames as possible. */
function* inFrames(transactions: readonly VerifiedTransaction[]): IterableIterator<readonly GossipItem[]> {
  let items: GossipItem[] = [];
  let bytes = 0;
  for (const { encoded, signed } of transactions) {
    const isFull = items.length >= MAX_ITEMS || bytes + encoded.length > MAX_BYTES;
    if (items.length > 0 && isFull) {
      yield items;
      items = [];
      bytes = 0;
    }
    const isSealed = signed.transaction.action.type === 'sealed';
    items.push({ type: isSealed ? 'sealed' : 'transaction', value: encoded });
    bytes += encoded.length + 5;
  }
  if (items.length > 0) yield items;
}
