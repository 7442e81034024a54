/** A peer whose rate is below this part of the best one's is left. */
const SLOW_PEER_DIVISOR = 4;
/** Time before a peer that was left is asked again. */
const SLOW_PEER_RETRY_MS = 30_000;
/** Time before a peer with no block of a height is asked again. */
const MISSING_BLOCK_RETRY_MS = 500;
/** Bytes that a block counts for beside its own: an empty block costs a peer more than its bytes. */
const BLOCK_BYTES = 4_096;
/** An answer in this time is prompt: its rate says more about the request than about the peer. */
const MIN_MEASURED_MS = 100;

interface Record {
  /** Bytes a millisecond; undefined until the first answer. */
  rate: number | undefined;
  /** When it was last asked. */
  measuredAt: number;
  emptyUntil: number;
}

/** The answer to one request. */
export interface AnswerTiming {
  readonly blocks: number;
  readonly bytes: number;
  /** From the request on. */
  readonly ms: number;
  /** Whether the peer gave all that it was asked for. */
  readonly isWhole: boolean;
}

/** Measures the rate at which each peer, or source of a follower, serves final blocks, and ranks the peers by it. */
export class PeerRates {
  readonly #now: () => number;
  readonly #records = new Map<number, Record>();

  /** @param now milliseconds of a clock that does not go back */
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

  /** The peer gave no answer in this time. */
  recordTimeout(peer: number, ms: number): void {
    this.recordAnswer(peer, { blocks: 0, bytes: 0, ms, isWhole: false });
  }

  /** The peer sent what cannot be right. */
  recordInvalid(peer: number): void {
    const record = this.#of(peer);
    record.rate = 0;
    record.measuredAt = this.#now();
    this.recordMissing(peer);
  }

  /** The peer has no block of the height that it was asked for. */
  recordMissing(peer: number): void {
    this.#of(peer).emptyUntil = this.#now() + MISSING_BLOCK_RETRY_MS;
  }

  /** The time that the best of these peers needs for blocks of these bytes, milliseconds; undefined while none is measured. */
  expectedMs(peers: readonly number[], blocks: number, bytes: number): number | undefined {
    const best = this.#best(peers);
    return best === 0 ? undefined : (bytes + blocks * BLOCK_BYTES) / best;
  }

  /**
   * The peers to ask: measured ones by their rate, then the others. A peer that serves clearly less than the best is left out,
   * unless no other is connected.
   */
  ranked(connected: readonly number[]): readonly number[] {
    const order = (peer: number) => {
      const rate = this.#records.get(peer)?.rate;
      return rate === undefined ? 0 : rate > 0 ? rate : -1;
    };
    return [...this.usable(connected)].sort((a, b) => order(b) - order(a));
  }

  /** As {@link ranked}, in the order that is given. */
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
