import { sameBytes } from '../../base/same-bytes.js';
import type { ChainTip } from '../../chain/committed-chain.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { blockHash } from '../../ledger/header.js';
import { PeerRanking } from '../../network/peer-ranking.js';
import {
  type CertifiedRange,
  chainConflict,
  checkRange,
  type DescendantCertificate,
  type RangeRules,
} from './certified-range.js';
import { hedgedRequest } from './hedged-request.js';
import type { Source } from './source.js';
import { lied, SourceError } from './source-error.js';
import type { SourceSet } from './source-set.js';

/** Blocks in the first request and at most in one, and the target size of a request's items in bytes. */
const FIRST_RANGE = 16;
const MAX_RANGE = 256;
const RANGE_BYTES = 262_144;
/** Maximum number of blocks in a range for which every certificate is requested. */
const FULLY_CERTIFIED = 8;
/** A source is late after this multiple of the best one's expected time, within these bounds. */
const HEDGE_FACTOR = 3;
const MIN_HEDGE_DELAY_MS = 500;
const MAX_HEDGE_DELAY_MS = 3_000;

export interface RangeFetcherOptions {
  readonly sources: SourceSet;
  readonly rules: RangeRules;
  /** Returns the hash of the committed block at a height; undefined if it is not stored or not committed. */
  readonly hashAt: (height: bigint) => Uint8Array | undefined;
  /** No range crosses a multiple of it, so that a checkpoint's block is near a certified one; 0: off. */
  readonly checkpointInterval: bigint;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Fetches the next blocks from the sources and returns only certified ones. A source clearly slower than another one
 * is avoided while there are others, and the blocks of a late source are requested from the next source too.
 */
export class RangeFetcher {
  readonly #options: RangeFetcherOptions;
  /** By source index. */
  readonly #ranking = new PeerRanking(() => performance.now());
  /** Sources whose tip differs from this node's block, with the running comparison. The promises never reject. */
  readonly #comparing = new Map<Source, Promise<void>>();
  /** A fork or an internal failure found by a comparison. */
  #conflict: { readonly error: unknown } | undefined;
  #reportConflict: (error: unknown) => void = () => undefined;
  #range = FIRST_RANGE;
  #meanBytes = 0;
  /** Certificate of a later block that proved the last range, if any. */
  #descendantCertificate: DescendantCertificate | undefined;
  /** Time of the first request for the next blocks, in milliseconds since 1970; undefined if there was none yet. */
  tryingSinceMs: number | undefined;

  constructor(options: RangeFetcherOptions) {
    this.#options = options;
  }

  /**
   * The blocks after `after`; waits until sources and blocks are available.
   * @throws FollowError `other_chain`; the abort reason of the sources if they stop
   */
  async next(after: ChainTip): Promise<CertifiedRange> {
    const { sources, now } = this.#options;
    this.tryingSinceMs = undefined;
    for (;;) {
      sources.signal.throwIfAborted();
      this.#compareTips();
      const candidates = this.#candidates(after.header.height);
      if (candidates.length > 0) {
        this.tryingSinceMs ??= now();
        const range = await this.#unlessConflict(this.#first(candidates, after));
        // All sources asked have failed; their faults are recorded, and they pause.
        if (range === undefined) continue;
        this.tryingSinceMs = undefined;
        this.#descendantCertificate = range.descendantCertificate;
        this.#adapt(range);
        return range;
      }
      await this.#unlessConflict(Promise.race([sources.nextAnswer(), ...this.#comparing.values()]));
    }
  }

  /**
   * Sources with blocks above a height, in the order to ask them: by number of blocks of the next range, then
   * unmeasured sources first, then by score.
   */
  #candidates(height: bigint): readonly Source[] {
    const able = this.#options.sources.ranked(
      (source) =>
        source.head !== undefined && source.head.tip.height > height && !this.#comparing.has(source),
    );
    const worthy = new Set(this.#ranking.usable(able.map(({ index }) => index)));
    const count = (source: Source) =>
      Math.min(this.#range, Number((source.head?.tip.height ?? height) - height));
    const known = ({ index }: Source) => Number(this.#ranking.isMeasured(index));
    return able
      .filter(({ index }) => worthy.has(index))
      .sort((a, b) => count(b) - count(a) || known(a) - known(b));
  }

  /** @returns undefined if all sources failed */
  #first(candidates: readonly Source[], after: ChainTip): Promise<CertifiedRange | undefined> {
    const blocks = this.#range;
    const indexes = candidates.map(({ index }) => index);
    const expectedMs = this.#ranking.expectedMs(indexes, blocks, blocks * this.#meanBytes) ?? 0;
    return hedgedRequest({
      sources: candidates,
      ask: (source, signal) => this.#from(source, after, signal),
      hedgeDelayMs: Math.min(MAX_HEDGE_DELAY_MS, Math.max(MIN_HEDGE_DELAY_MS, HEDGE_FACTOR * expectedMs)),
      onLate: ({ index }, ms) => this.#ranking.recordTimeout(index, ms),
      signal: this.#options.sources.signal,
    });
  }

  async #from(source: Source, after: ChainTip, signal: AbortSignal): Promise<CertifiedRange> {
    const { rules } = this.#options;
    const from = after.header.height + 1n;
    const to = this.#end(from, source.head?.tip.height ?? from);
    const askedAt = performance.now();
    const rootOf = (height: bigint) => source.ask('finalized_history_root', { height }, signal);
    // Sends all requests at once, so that at the tip one round trip brings a block.
    const [{ blocks }, certified] = await this.#claimed(
      source,
      Promise.all([
        source.ask('get_blocks', { from_height: from, to_height: to }, signal),
        Promise.all(certifiedHeights(from, to).map(rootOf)),
      ]),
    );
    const last = blocks.at(-1)?.header.height ?? to;
    if (last > to) {
      throw this.#fault(source, lied(`get_blocks: asked for blocks ${from} to ${to}, got block ${last}`));
    }
    const answers = last === to ? certified : [await rootOf(last)];
    const ms = performance.now() - askedAt;
    try {
      const range = await checkRange(rules, after, blocks, answers, this.#descendantCertificate);
      const bytes = range.bodyBytes;
      const isWhole = last === to || 2 * bytes > RANGE_BYTES;
      this.#ranking.recordAnswer(source.index, { blocks: blocks.length, bytes, ms, isWhole });
      return range;
    } catch (error) {
      throw error instanceof SourceError ? this.#fault(source, error) : error;
    }
  }

  /** A source without the blocks it claims to have is lying: an unreachable tip would keep this node unsynced. */
  async #claimed<T>(source: Source, answers: Promise<T>): Promise<T> {
    const claim = source.head?.tip.height;
    try {
      return await answers;
    } catch (error) {
      if (!(error instanceof SourceError) || error.kind !== 'not_found') throw error;
      throw this.#fault(source, lied(`it claims height ${claim}, but: ${error.message}`));
    }
  }

  #fault(source: Source, error: SourceError): SourceError {
    source.recordFault(error, 'get_blocks');
    return error;
  }

  #end(from: bigint, head: bigint): bigint {
    const { checkpointInterval } = this.#options;
    let end = from + BigInt(this.#range) - 1n;
    if (end > head) end = head;
    if (checkpointInterval === 0n) return end;
    const checkpoint = ((from + checkpointInterval - 1n) / checkpointInterval) * checkpointInterval;
    if (end > checkpoint) end = checkpoint;
    return end;
  }

  #adapt({ blocks, bodyBytes }: CertifiedRange): void {
    const fitting = Math.floor((RANGE_BYTES * blocks.length) / Math.max(1, bodyBytes));
    const max = Math.min(MAX_RANGE, 2 * this.#range);
    this.#range = Math.max(1, Math.min(max, fitting));
    this.#meanBytes = bodyBytes / blocks.length;
  }

  /** Starts comparing the sources' tips with this node's blocks. Slow sources block nothing. */
  #compareTips(): void {
    for (const source of this.#options.sources.ranked()) {
      if (this.#comparing.has(source) || !this.#differs(source)) continue;
      const compared = this.#compare(source)
        .catch((error: unknown) => {
          // The source has already recorded its failure.
          if (error instanceof SourceError) return;
          this.#conflict = { error };
          this.#reportConflict(error);
        })
        .finally(() => this.#comparing.delete(source));
      this.#comparing.set(source, compared);
    }
  }

  /** Settles like `work` unless there is a conflict. One long-lived promise would retain all ranges. */
  #unlessConflict<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reportConflict = reject;
      if (this.#conflict !== undefined) reject(this.#conflict.error);
      work.then(resolve, reject);
    });
  }

  #differs({ head }: Source): boolean {
    const own = head === undefined ? undefined : this.#options.hashAt(head.tip.height);
    return head !== undefined && own !== undefined && !sameBytes(own, head.tip.hash);
  }

  /**
   * Checks if a source's tip, at or below this node's, is the same block.
   * @throws FollowError `other_chain` if it differs and is certified; SourceError if it is not certified
   */
  async #compare(source: Source): Promise<void> {
    const { sources, rules, hashAt } = this.#options;
    if (source.head === undefined) return;
    const { height, hash } = source.head.tip;
    const own = hashAt(height);
    if (own === undefined || sameBytes(own, hash)) return;
    const answer = await source.ask('finalized_history_root', { height }, sources.signal);
    const { header, certificate, descendants } = answer;
    const computed = blockHash(rules.crypto, ledger.BlockHeader.encode(header));
    if (header.height !== height || !sameBytes(computed, hash)) {
      throw this.#fault(source, lied(`finalized_history_root: not for its tip, block ${height}`));
    }
    const finality = certificate === undefined ? undefined : { certificate, descendants };
    if (finality === undefined || (await rules.certifiedBlock({ header, hash }, finality)) === undefined) {
      const message = `its block ${height} is ${toHex(hash)}, not certified, and differs from this node's ${toHex(own)}`;
      throw this.#fault(source, lied(message));
    }
    throw chainConflict(height, own, hash);
  }
}

/**
 * Heights of a range to request certificates for. Near the tip these are all heights, so that this node can prove its
 * tip together with the state; in a long range only the last one.
 */
function certifiedHeights(from: bigint, to: bigint): bigint[] {
  const count = Number(to - from) + 1;
  return count > FULLY_CERTIFIED ? [to] : Array.from({ length: count }, (_, place) => from + BigInt(place));
}
