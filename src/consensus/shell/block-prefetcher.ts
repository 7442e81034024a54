import type { Runtime } from '../../async/runtime.js';
import { MAX_BODY_BYTES } from '../../ledger/constants.js';
import { PeerRanking } from '../../network/peer-ranking.js';
import {
  type CheckedBlock,
  type FinalBlockFetcher,
  type SpanFailure,
  WaitTimer,
} from './final-block-fetcher.js';
import type { Network } from './ports.js';

const ASKED_BLOCKS = 256;
/** Maximum block bytes in one answer; a first block that exceeds it is sent alone. */
const ANSWER_BYTES = MAX_BODY_BYTES / 2;
/** Maximum concurrent requests, not counting late ones. */
const AT_ONCE = 3;
const AHEAD_BLOCKS = 4 * ASKED_BLOCKS;
/** Maximum bytes of waiting blocks; above it, only the next block is requested. */
const AHEAD_BYTES = 64 * 1024 * 1024;
/** After this multiple of the best peer's time, within the bounds below, a late request goes to another peer too. */
const PATIENCE = 3;
const MIN_PATIENCE_MS = 250;
const MAX_PATIENCE_MS = 1_500;
const FIRST_PATIENCE_MS = 500;
/** Interval of checks for late peers while no blocks arrive. */
const POLL_MS = 50;
/** Weight of the latest span in the mean block size. */
const SIZE_WEIGHT = 0.25;

interface Fetched {
  readonly block: CheckedBlock;
  readonly peer: number;
}

interface Request {
  readonly peer: number;
  readonly from: number;
  readonly to: number;
  readonly waited: WaitTimer;
  isLate: boolean;
}

export interface BlockPrefetcherOptions {
  readonly runtime: Runtime;
  readonly source: Pick<FinalBlockFetcher, 'span'>;
  readonly network: Pick<Network, 'connected' | 'drop'>;
  readonly tip: () => { readonly height: number; readonly hash: string };
  /** The last height to request; blocks up to the next certificate are fetched too. */
  readonly height: number;
  /** The epoch of the block at that height. Later blocks of this epoch may be fetched, those of the next may not. */
  readonly epoch: number;
}

/** Fetches disjoint ranges of certified blocks in parallel, and a late peer's range from another peer too. */
export class BlockPrefetcher {
  readonly #options: BlockPrefetcherOptions;
  readonly #ranking: PeerRanking;
  readonly #fetched = new Map<number, Fetched>();
  readonly #requests = new Set<Request>();
  #bytes = 0;
  #meanBytes = 0;
  #isStopped = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(options: BlockPrefetcherOptions) {
    this.#options = options;
    this.#ranking = new PeerRanking(options.runtime.now);
  }

  /** The blocks up to a certified one; undefined once stopped. @throws decoding and verification errors */
  async next(): Promise<readonly CheckedBlock[] | undefined> {
    while (!this.#isStopped) {
      if (this.#failure !== undefined) throw this.#failure.error;
      const ready = this.#ready();
      if (ready.length > 0) return ready;
      this.#ask();
      await this.#changed();
    }
    return undefined;
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** The consecutive blocks after the tip. */
  #ready(): readonly CheckedBlock[] {
    const { tip, network } = this.#options;
    const { height, hash } = tip();
    this.#forgetUpTo(height);
    const first = this.#fetched.get(height + 1);
    if (first !== undefined && first.block.facts.parentHash !== hash) {
      network.drop(first.peer, 'blocks that are not consecutive');
      this.#ranking.recordInvalid(first.peer);
      this.#forgetUpTo(height + 1);
      return [];
    }
    const blocks: CheckedBlock[] = [];
    for (let at = height + 1; ; at++) {
      const fetched = this.#fetched.get(at);
      if (fetched === undefined) break;
      blocks.push(fetched.block);
    }
    return blocks.slice(0, blocks.findLastIndex(({ certificate }) => certificate !== undefined) + 1);
  }

  #forgetUpTo(height: number): void {
    for (const [at, { block }] of this.#fetched) {
      if (at > height) continue;
      this.#fetched.delete(at);
      this.#bytes -= block.bytes;
    }
  }

  /** Assigns each idle peer the first range that no timely request covers. */
  #ask(): void {
    if (this.#isStopped) return;
    this.#noteLate();
    const { network } = this.#options;
    const late = new Set([...this.#requests].filter(({ isLate }) => isLate).map(({ peer }) => peer));
    const peers = this.#ranking.ranked(network.connected().filter((peer) => !late.has(peer)));
    const asked = new Set([...this.#requests].map(({ peer }) => peer));
    for (const peer of peers.filter((each) => !asked.has(each))) {
      const inTime = [...this.#requests].filter(({ isLate }) => !isLate);
      const range = inTime.length < AT_ONCE ? this.#gap(inTime) : undefined;
      if (range === undefined) return;
      void this.#fetch(peer, range.from, range.to);
    }
  }

  /** The first range that is neither fetched nor requested. */
  #gap(requests: readonly Request[]): { readonly from: number; readonly to: number } | undefined {
    const first = this.#options.tip().height + 1;
    const last = Math.min(
      Math.max(first, this.#options.height),
      this.#bytes > AHEAD_BYTES ? first : first + AHEAD_BLOCKS - 1,
    );
    const isOpen = (at: number) =>
      !this.#fetched.has(at) && !requests.some(({ from, to }) => from <= at && at <= to);
    let from = first;
    while (from <= last && !isOpen(from)) from++;
    if (from > last) return undefined;
    const fitting = this.#meanBytes === 0 ? ASKED_BLOCKS : Math.floor(ANSWER_BYTES / this.#meanBytes);
    const lastFitting = from + Math.max(1, Math.min(ASKED_BLOCKS, fitting)) - 1;
    let to = from;
    while (to < Math.min(last, lastFitting) && isOpen(to + 1)) to++;
    return { from, to };
  }

  async #fetch(peer: number, from: number, to: number): Promise<void> {
    const waited = new WaitTimer(this.#options.runtime.now);
    const request: Request = { peer, from, to, waited, isLate: false };
    this.#requests.add(request);
    const { source, epoch } = this.#options;
    const { height, hash } = this.#options.tip();
    const parentHash = from === height + 1 ? hash : undefined;
    const range = { fromHeight: from, count: to - from + 1, epoch, parentHash };
    try {
      this.#take(request, await source.span(peer, range, waited));
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#requests.delete(request);
    }
    // Requests here as well, because `next` is not called while blocks are executed.
    if (this.#failure === undefined) this.#ask();
    this.#wake();
  }

  #take({ peer, from, to, waited }: Request, span: readonly CheckedBlock[] | SpanFailure): void {
    if (span === 'empty') this.#ranking.recordMissing(peer);
    else if (span === 'refused') this.#ranking.recordInvalid(peer);
    else if (span === 'late') this.#ranking.recordTimeout(peer, waited.ms);
    else {
      const blocks = span;
      const bytes = blocks.reduce((sum, block) => sum + block.bytes, 0);
      // An answer of over half the byte limit is complete: the next block may not have fit.
      const isWhole = from + blocks.length > to || bytes * 2 > ANSWER_BYTES;
      this.#ranking.recordAnswer(peer, { blocks: blocks.length, bytes, ms: waited.ms, isWhole });
      const mean = bytes / blocks.length;
      this.#meanBytes =
        this.#meanBytes === 0 ? mean : this.#meanBytes + SIZE_WEIGHT * (mean - this.#meanBytes);
      const { height } = this.#options.tip();
      for (const block of blocks) {
        const at = block.facts.height;
        if (at <= height || this.#fetched.has(at)) continue;
        this.#fetched.set(at, { block, peer });
        this.#bytes += block.bytes;
      }
    }
  }

  #noteLate(): void {
    const connected = this.#options.network.connected();
    for (const request of this.#requests) {
      if (request.isLate) continue;
      const blocks = request.to - request.from + 1;
      const expected = this.#ranking.expectedMs(connected, blocks, blocks * this.#meanBytes);
      const patience =
        expected === undefined
          ? FIRST_PATIENCE_MS
          : Math.min(MAX_PATIENCE_MS, Math.max(MIN_PATIENCE_MS, PATIENCE * expected));
      if (request.waited.ms < patience && connected.includes(request.peer)) continue;
      request.isLate = true;
      this.#ranking.recordTimeout(request.peer, request.waited.ms);
    }
  }

  async #changed(): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#options.runtime.after(POLL_MS, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
