/** A peer slower than the best rate divided by this is skipped. */
const SLOW_PEER_DIVISOR = 4;
const SLOW_PEER_RETRY_MS = 30_000;
/** Time before a peer without a block of the requested height is asked again. */
const MISSING_BLOCK_RETRY_MS = 500;
/** Fixed cost per block, in bytes: serving an empty block costs a peer more than its bytes. */
const BLOCK_BYTES = 4_096;
/** An answer within this time is prompt: its rate reflects the request's size rather than the peer's speed. */
const MIN_MEASURED_MS = 100;

interface Record {
  /** Bytes per millisecond; undefined until the first answer. */
  rate: number | undefined;
  /** Time at which the rate was last measured. */
  measuredAt: number;
  emptyUntil: number;
}

/** Size and duration of the answer to one request. */
export interface AnswerTiming {
  readonly blocks: number;
  readonly bytes: number;
  /** Time since the request. */
  readonly ms: number;
  /** True if the peer delivered everything requested. */
  readonly isWhole: boolean;
}

/** Measures how fast each peer, or each source of a follower, serves final blocks, and ranks the peers by that rate. */
export class PeerRanking {
  readonly #now: () => number;
  readonly #records = new Map<number, Record>();

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  recordAnswer(peer: number, { blocks, bytes, ms, isWhole }: AnswerTiming): void {
    const record = this.#of(peer);
    const rate = (bytes + blocks * BLOCK_BYTES) / Math.max(1, ms);
    const isPrompt = isWhole && ms <= MIN_MEASURED_MS;
    if (record.rate === undefined) record.rate = rate;
    else record.rate = isPrompt ? Math.max(record.rate, rate) : (record.rate + rate) / 2;
    record.measuredAt = this.#now();
  }

  /** Records that the peer gave no answer within `ms`. */
  recordTimeout(peer: number, ms: number): void {
    this.recordAnswer(peer, { blocks: 0, bytes: 0, ms, isWhole: false });
  }

  recordInvalid(peer: number): void {
    const record = this.#of(peer);
    record.rate = 0;
    record.measuredAt = this.#now();
    this.recordMissing(peer);
  }

  recordMissing(peer: number): void {
    this.#of(peer).emptyUntil = this.#now() + MISSING_BLOCK_RETRY_MS;
  }

  /** Milliseconds that the best of these peers needs for such an answer; undefined if none is measured. */
  expectedMs(peers: readonly number[], blocks: number, bytes: number): number | undefined {
    const best = this.#best(peers);
    return best === 0 ? undefined : (bytes + blocks * BLOCK_BYTES) / best;
  }

  /** The peers to ask: measured ones by descending rate, then the others. Much slower ones are the last resort. */
  ranked(connected: readonly number[]): readonly number[] {
    const order = (peer: number) => {
      const rate = this.#records.get(peer)?.rate;
      return rate === undefined ? 0 : rate > 0 ? rate : -1;
    };
    return [...this.usable(connected)].sort((a, b) => order(b) - order(a));
  }

  /** Like {@link ranked}, but in the given order. */
  usable(connected: readonly number[]): readonly number[] {
    const now = this.#now();
    const able = connected.filter((peer) => (this.#records.get(peer)?.emptyUntil ?? 0) <= now);
    const best = this.#best(able);
    const isLeft = (peer: number) => {
      const record = this.#records.get(peer);
      if (record?.rate === undefined || record.rate * SLOW_PEER_DIVISOR >= best) return false;
      return best > 0 && now - record.measuredAt < SLOW_PEER_RETRY_MS;
    };
    const good = able.filter((peer) => !isLeft(peer));
    return good.length > 0 ? good : able;
  }

  isMeasured(peer: number): boolean {
    return this.#records.get(peer)?.rate !== undefined;
  }

  #best(peers: readonly number[]): number {
    return Math.max(0, ...peers.map((peer) => this.#records.get(peer)?.rate ?? 0));
  }

  #of(peer: number): Record {
    const known = this.#records.get(peer);
    if (known !== undefined) return known;
    const record = { rate: undefined, measuredAt: 0, emptyUntil: 0 };
    this.#records.set(peer, record);
    return record;
  }
}
