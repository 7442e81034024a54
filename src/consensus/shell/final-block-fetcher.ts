import { LeakyBuckets } from '../../async/gcra.js';
import { type Cancel, type Runtime, sleep } from '../../async/runtime.js';
import { sameBytes } from '../../base/same-bytes.js';
import { type DecodedBlock, decodeBlock } from '../../chain/decode-block.js';
import type { Crypto } from '../../crypto/crypto.js';
import { toHex } from '../../idl/hex.js';
import type { BlockFacts, Certificate } from '../core/types.js';
import { factsOf } from './conversions.js';
import type { FinalBlock, Network, VoteSignatures } from './ports.js';

const ANSWER_MS = 3_000;
/** Maximum bytes of blocks waiting for the certificate of a later one. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Maximum consecutive answers without a certificate before giving up on the peer; each may be slow. */
const MAX_UNCERTIFIED_ANSWERS = 32;
/** Number of further blocks requested after an answer without a certificate. */
const FURTHER_BLOCKS = 16;
/** Request rate per peer, below the 5 per second and burst of 20 that a peer answers. */
const REQUESTS = { perSecond: 4, burst: 16 };
/** Polling interval for a peer's request budget. */
const TURN_MS = 50;

export interface Answer {
  readonly fromHeight: number;
  readonly blocks: readonly FinalBlock[];
}

/** A block that its own or a later certificate makes final. */
export interface CheckedBlock extends DecodedBlock {
  readonly facts: BlockFacts;
  readonly certificate: Certificate | undefined;
}

export interface BlockRange {
  readonly fromHeight: number;
  /** Number of blocks to request, at least 1; more may be returned if the last of them has no certificate. */
  readonly count: number;
  /** The last epoch whose blocks are returned. */
  readonly epoch: number;
  /** Parent hash of the first block; undefined if not known yet. */
  readonly parentHash: string | undefined;
}

/** Measures a peer's answer time in milliseconds, excluding the verification of its answers. */
export class WaitTimer {
  readonly #now: () => number;
  #pastMs = 0;
  #since: number | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  get ms(): number {
    return this.#pastMs + (this.#since === undefined ? 0 : this.#now() - this.#since);
  }

  begin(): void {
    this.#since = this.#now();
  }

  end(): void {
    this.#pastMs = this.ms;
    this.#since = undefined;
  }
}

/** `empty`: the peer lacks the blocks or their certificate; `late`: timed out; `refused`: invalid answer. */
export type SpanFailure = 'empty' | 'late' | 'refused';

export interface FinalBlockFetcherOptions {
  readonly runtime: Runtime;
  readonly crypto: Crypto;
  readonly signatures: Pick<VoteSignatures, 'isCertified'>;
  readonly network: Pick<Network, 'connected' | 'send' | 'drop'>;
}

/** Requests final blocks, one request at a time per peer, and verifies their certificates. */
export class FinalBlockFetcher {
  readonly #options: FinalBlockFetcherOptions;
  readonly #asked = new Map<number, { fromHeight: number; resolve: (answer?: Answer) => void }>();
  readonly #requests: LeakyBuckets<number>;
  #cancelling = new AbortController();
  #isStopped = false;

  constructor(options: FinalBlockFetcherOptions) {
    this.#options = options;
    this.#requests = new LeakyBuckets(REQUESTS, options.runtime.now);
  }

  /** Handles a peer's answer; unrequested or late answers are ignored. */
  onAnswer(peer: number, answer: Answer): void {
    const asked = this.#asked.get(peer);
    if (asked?.fromHeight === answer.fromHeight) asked.resolve(answer);
  }

  /** Ends all requests; later ones return `late`. */
  stop(): void {
    this.#isStopped = true;
    this.cancel();
  }

  cancel(): void {
    this.#cancelling.abort();
    this.#cancelling = new AbortController();
    for (const { resolve } of this.#asked.values()) resolve();
  }

  /** Fetches consecutive blocks, up to one with a certificate. @param waited measures the peer's time */
  async span(
    peer: number,
    { fromHeight, count, epoch, parentHash }: BlockRange,
    waited: WaitTimer,
  ): Promise<readonly CheckedBlock[] | SpanFailure> {
    const { signal } = this.#cancelling;
    const waiting: CheckedBlock[] = [];
    let bytes = 0;
    for (let answers = 0; answers < MAX_UNCERTIFIED_ANSWERS && bytes <= MAX_WAITING_BYTES; answers++) {
      const next = fromHeight + waiting.length;
      const left = count - waiting.length;
      waited.begin();
      if (!(await this.#waitForTurn(peer, signal))) return 'late';
      const answer = await this.#ask(peer, next, answers === 0 ? left : Math.max(left, FURTHER_BLOCKS));
      waited.end();
      if (answer === undefined) return 'late';
      if (answer.blocks.length === 0) return 'empty';
      const checked = await this.#check(answer, waiting.at(-1)?.facts.hash ?? parentHash);
      if (typeof checked === 'string') {
        this.#options.network.drop(peer, checked);
        return 'refused';
      }
      const later = checked.findIndex(({ facts }) => facts.epoch > epoch);
      const kept = later < 0 ? checked : checked.slice(0, later);
      waiting.push(...kept);
      for (const block of kept) bytes += block.bytes;
      const certified = waiting.findLastIndex(({ certificate }) => certificate !== undefined);
      if (certified >= 0) return waiting.slice(0, certified + 1);
      // The epoch's last block has a certificate, but this peer does not have it.
      if (later >= 0) return 'empty';
    }
    return 'late';
  }

  /** Waits until the peer's request budget allows a request. @returns false if the request was cancelled */
  async #waitForTurn(peer: number, signal: AbortSignal): Promise<boolean> {
    const { runtime } = this.#options;
    const isOpen = () => !this.#isStopped && !signal.aborted;
    while (isOpen() && !this.#requests.take(peer, 1)) await sleep(runtime, TURN_MS, signal);
    return isOpen();
  }

  async #ask(peer: number, fromHeight: number, count: number): Promise<Answer | undefined> {
    const { runtime, network } = this.#options;
    let cancelTimeout: Cancel | undefined;
    try {
      return await new Promise<Answer | undefined>((resolve) => {
        cancelTimeout = runtime.after(ANSWER_MS, () => resolve(undefined));
        this.#asked.set(peer, { fromHeight, resolve });
        network.send(peer, { type: 'get_finalized', fromHeight, count });
      });
    } finally {
      cancelTimeout?.();
      this.#asked.delete(peer);
    }
  }

  /** Verifies that the blocks are complete, consecutive and validly certified. @returns the blocks, or what is wrong */
  async #check(
    { fromHeight, blocks }: Answer,
    parentHash: string | undefined,
  ): Promise<readonly CheckedBlock[] | string> {
    const { runtime, crypto, signatures } = this.#options;
    const checked: CheckedBlock[] = [];
    let parent = parentHash;
    for (const { block, certificate } of blocks) {
      const decoded = await decodeBlock(crypto, block, runtime.nextTurn);
      const facts = 'verdict' in decoded ? undefined : factsOf(decoded.header, toHex(decoded.hash));
      if ('verdict' in decoded || facts === undefined) return 'a malformed block';
      const follows =
        (parent === undefined || facts.parentHash === parent) &&
        facts.height === fromHeight + checked.length &&
        sameBytes(decoded.itemsRoot, decoded.header.transactions_root);
      if (!follows) return 'blocks that are not consecutive';
      if (certificate !== undefined) {
        const fits =
          certificate.kind === 'finalize' &&
          certificate.hash === facts.hash &&
          certificate.epoch === facts.epoch;
        if (!fits || !(await signatures.isCertified(certificate))) return 'an invalid certificate';
      }
      checked.push({ ...decoded, facts, certificate });
      parent = facts.hash;
    }
    return checked;
  }
}
