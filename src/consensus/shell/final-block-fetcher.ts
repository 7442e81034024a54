import { setTimeout as sleep } from 'node:timers/promises';
import { type DecodedBlock, decodeBlock } from '../../chain/decode-block.js';
import type { Crypto } from '../../crypto/crypto.js';
import { toHex } from '../../idl/hex.js';
import type { BlockFacts, Certificate } from '../core/types.js';
import { factsOf } from './conversions.js';
import type { FinalBlock, Network, VoteSignatures } from './ports.js';
import { RateLimiter } from './rate-limiter.js';

/** How long a peer may take to answer. */
const ANSWER_MS = 3_000;
/** Bytes of blocks that wait for the certificate of a later one. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Answers without a certificate in a row, after which the peer is given up: each may come late and hold one block. */
const MAX_UNCERTIFIED_ANSWERS = 32;
/** Blocks asked for beyond those that came without a certificate. */
const FURTHER_BLOCKS = 16;
/** Requests to one peer; it answers 5 a second, and 20 at once. */
const REQUESTS = { perSecond: 4, burst: 16 };
/** Between two looks at whether a peer may be asked again. */
const TURN_MS = 50;

/** What a peer answers to a request for final blocks. */
export interface Answer {
  readonly fromHeight: number;
  readonly blocks: readonly FinalBlock[];
}

/** A block that is final by its own certificate or that of a later one. */
export interface CheckedBlock extends DecodedBlock {
  readonly facts: BlockFacts;
  readonly certificate: Certificate | undefined;
}

/** The time that a peer takes to answer, milliseconds, without the checks of its answers. */
export class WaitTimer {
  #pastMs = 0;
  #since: number | undefined;

  get ms(): number {
    return this.#pastMs + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }

  begin(): void {
    this.#since = performance.now();
  }

  end(): void {
    this.#pastMs = this.ms;
    this.#since = undefined;
  }
}

interface Asked {
  readonly fromHeight: number;
  readonly resolve: (answer: Answer | undefined) => void;
}

/** Why a peer gave no blocks: it has no block of the height, took too long, or sent what cannot be right. */
export type SpanFailure = 'empty' | 'late' | 'refused';

export interface FinalBlockFetcherOptions {
  readonly crypto: Crypto;
  readonly signatures: Pick<VoteSignatures, 'isCertified'>;
  readonly network: Pick<Network, 'connected' | 'send' | 'drop'>;
  readonly answerMs?: number;
}

/** Asks peers for final blocks, each peer one request at a time, and checks their certificates. */
export class FinalBlockFetcher {
  readonly #options: FinalBlockFetcherOptions;
  readonly #asked = new Map<number, Asked>();
  readonly #requests = new RateLimiter(REQUESTS, () => performance.now());
  /** Of requests that were not cancelled. */
  #round = 0;
  #isStopped = false;

  constructor(options: FinalBlockFetcherOptions) {
    this.#options = options;
  }

  /** A peer's answer; one that was not asked for, or that comes too late, is passed over. */
  onAnswer(peer: number, answer: Answer): void {
    const asked = this.#asked.get(peer);
    if (asked?.fromHeight === answer.fromHeight) asked.resolve(answer);
  }

  /** Ends all requests; later ones are answered `late`. */
  stop(): void {
    this.#isStopped = true;
    this.cancel();
  }

  /** Ends the requests under way. */
  cancel(): void {
    this.#round++;
    for (const { resolve } of this.#asked.values()) resolve(undefined);
  }

  /**
   * Blocks from a height on, up to one with a certificate.
   * @param count of blocks to ask for, at least 1; more may come where the last of them has no certificate
   * @param parentHash of the first block; undefined: not known yet
   * @param waited counts the time that the peer takes
   * @returns consecutive blocks, the last with a certificate
   */
  async span(
    peer: number,
    fromHeight: number,
    count: number,
    parentHash: string | undefined,
    waited: WaitTimer,
  ): Promise<readonly CheckedBlock[] | SpanFailure> {
    const round = this.#round;
    const waiting: CheckedBlock[] = [];
    let bytes = 0;
    for (let answers = 0; answers < MAX_UNCERTIFIED_ANSWERS && bytes <= MAX_WAITING_BYTES; answers++) {
      const next = fromHeight + waiting.length;
      const left = count - waiting.length;
      waited.begin();
      if (!(await this.#waitForTurn(peer, round))) return 'late';
      const answer = await this.#ask(peer, next, answers === 0 ? left : Math.max(left, FURTHER_BLOCKS));
      waited.end();
      if (answer === undefined) return 'late';
      if (answer.blocks.length === 0) return 'empty';
      const checked = await this.#check(answer, waiting.at(-1)?.facts.hash ?? parentHash);
      if (typeof checked === 'string') {
        this.#options.network.drop(peer, checked);
        return 'refused';
      }
      waiting.push(...checked);
      for (const block of checked) bytes += block.bytes;
      const certified = waiting.findLastIndex(({ certificate }) => certificate !== undefined);
      if (certified >= 0) return waiting.slice(0, certified + 1);
    }
    return 'late';
  }

  /** Waits until the peer may be asked. @returns false where the request was cancelled */
  async #waitForTurn(peer: number, round: number): Promise<boolean> {
    const isOpen = () => !this.#isStopped && round === this.#round;
    while (isOpen() && !this.#requests.tryTake(peer)) await sleep(TURN_MS);
    return isOpen();
  }

  async #ask(peer: number, fromHeight: number, count: number): Promise<Answer | undefined> {
    const { network, answerMs = ANSWER_MS } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Answer | undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), answerMs);
        this.#asked.set(peer, { fromHeight, resolve });
        network.send(peer, { type: 'get_finalized', fromHeight, count });
      });
    } finally {
      clearTimeout(timer);
      this.#asked.delete(peer);
    }
  }

  /** Blocks that follow one after the other, each whole, their certificates good. @returns or what is wrong */
  async #check(
    { fromHeight, blocks }: Answer,
    parentHash: string | undefined,
  ): Promise<readonly CheckedBlock[] | string> {
    const { crypto, signatures } = this.#options;
    const checked: CheckedBlock[] = [];
    let parent = parentHash;
    for (const { block, certificate } of blocks) {
      const decoded = await decodeBlock(crypto, block);
      const facts = 'verdict' in decoded ? undefined : factsOf(decoded.header, toHex(decoded.hash));
      if ('verdict' in decoded || facts === undefined) return 'a block that is none';
      const follows =
        (parent === undefined || facts.parentHash === parent) &&
        facts.height === fromHeight + checked.length &&
        Buffer.compare(decoded.itemsRoot, decoded.header.transactions_root) === 0;
      if (!follows) return 'blocks that do not follow each other';
      if (certificate !== undefined) {
        const fits =
          certificate.kind === 'finalize' &&
          certificate.hash === facts.hash &&
          certificate.epoch === facts.epoch;
        if (!fits || !(await signatures.isCertified(certificate))) return 'a certificate that is not good';
      }
      checked.push({ ...decoded, facts, certificate });
      parent = facts.hash;
    }
    return checked;
  }
}
