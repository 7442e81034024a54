import type { BlockChain } from '../../chain/block-chain.js';
import { type DecodedBlock, decodeBlock } from '../../chain/decode-block.js';
import type { PendingBlock } from '../../chain/pending-blocks.js';
import type { Crypto } from '../../crypto/crypto.js';
import { toHex } from '../../idl/hex.js';
import type { BlockFacts, Certificate } from '../core/types.js';
import { factsOf } from './conversions.js';
import type { FinalBlock, Network, VoteSignatures } from './ports.js';

/** Blocks asked for at once. */
const ASKED_BLOCKS = 256;
/** How long a peer may take to answer. */
const ANSWER_MS = 3_000;
/** Between two rounds of asking everybody in vain. */
const PAUSE_MS = 500;
/** Blocks that wait for the certificate of a later one. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Answers without a certificate in a row, after which another peer is asked: each may come late and hold one block. */
const MAX_UNCERTIFIED_ANSWERS = 32;

/** Blocks that were executed and committed, and the finalization of the last of them. */
export interface CaughtUp {
  readonly committed: BlockFacts;
  readonly finalization: Certificate;
}

/** A block that the validators made final and that is invalid here. */
export class Divergence extends Error {
  override readonly name = 'Divergence';
}

export interface CatchUpOptions {
  readonly crypto: Crypto;
  readonly chain: Pick<BlockChain, 'tip' | 'verify'>;
  readonly signatures: Pick<VoteSignatures, 'isCertified'>;
  readonly network: Pick<Network, 'connected' | 'send' | 'drop'>;
  /**
   * Commits a verified block under the certificate, where it has one.
   * @param finalization under which it is final: its own certificate, or that of a later one
   */
  readonly commit: (
    block: PendingBlock,
    certificate: Certificate | undefined,
    finalization: Certificate,
  ) => Promise<void>;
  /** Told of a block of which nothing can be said now; it is tried again. */
  readonly onWithheld: (height: number, reason: string) => void;
  readonly answerMs?: number;
}

interface Answer {
  readonly fromHeight: number;
  readonly blocks: readonly FinalBlock[];
}

interface CheckedBlock extends DecodedBlock {
  readonly facts: BlockFacts;
  readonly certificate: Certificate | undefined;
}

/** Fetches final blocks from peers in ranges, where a node is too far behind to fetch them one by one. */
export class CatchUp {
  readonly #options: CatchUpOptions;
  #asked: { readonly peer: number; readonly answer: (answer: Answer) => void } | undefined;
  #isStopped = false;

  constructor(options: CatchUpOptions) {
    this.#options = options;
  }

  /** A peer's answer; one that was not asked for is passed over. */
  answered(peer: number, answer: Answer): void {
    if (this.#asked?.peer === peer) this.#asked.answer(answer);
  }

  stop(): void {
    this.#isStopped = true;
    this.#asked?.answer({ fromHeight: 0, blocks: [] });
  }

  /**
   * Goes on until the block of this height, which is of the tip's epoch, is committed.
   * @returns undefined where it was stopped
   * @throws Divergence; whatever execution and store throw
   */
  async run(height: number): Promise<CaughtUp | undefined> {
    const { network } = this.#options;
    for (let round = 0; !this.#isStopped; round++) {
      const peers = network.connected();
      const peer = peers[round % Math.max(1, peers.length)];
      if (peer !== undefined) {
        const done = await this.#from(peer, height);
        if (done !== undefined) return done;
      }
      if (peers.length === 0 || (round + 1) % peers.length === 0) await pause(PAUSE_MS);
    }
    return undefined;
  }

  /** As far as one peer helps. */
  async #from(peer: number, height: number): Promise<CaughtUp | undefined> {
    const { chain } = this.#options;
    let waiting: CheckedBlock[] = [];
    let bytes = 0;
    let uncertified = 0;
    while (!this.#isStopped) {
      const next = Number(chain.tip.header.height) + 1 + waiting.length;
      const answer = await this.#ask(peer, next, height);
      if (answer === undefined || answer.fromHeight !== next || answer.blocks.length === 0) return undefined;
      const checked = await this.#check(peer, answer.blocks, waiting.at(-1) ?? this.#tip());
      if (checked === undefined) return undefined;
      waiting.push(...checked);
      for (const block of checked) bytes += block.bytes;
      const certified = waiting.findLastIndex(({ certificate }) => certificate !== undefined);
      if (certified < 0) {
        if (bytes > MAX_WAITING_BYTES || ++uncertified >= MAX_UNCERTIFIED_ANSWERS) return undefined;
        continue;
      }
      const done = await this.#apply(waiting.slice(0, certified + 1));
      if (done === undefined || done.committed.height >= height) return done;
      // Those after it are asked for again: their parent is the tip then.
      waiting = [];
      bytes = 0;
      uncertified = 0;
    }
    return undefined;
  }

  async #ask(peer: number, fromHeight: number, height: number): Promise<Answer | undefined> {
    const { network, answerMs = ANSWER_MS } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Answer | undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), answerMs);
        this.#asked = { peer, answer: resolve };
        const count = Math.max(1, Math.min(ASKED_BLOCKS, height - fromHeight + 1));
        network.send(peer, { type: 'get_finalized', fromHeight, count });
      });
    } finally {
      clearTimeout(timer);
      this.#asked = undefined;
    }
  }

  /** Blocks that follow one after the other, each whole, their certificates good. */
  async #check(
    peer: number,
    blocks: readonly FinalBlock[],
    after: Pick<BlockFacts, 'hash' | 'height'> | CheckedBlock,
  ): Promise<readonly CheckedBlock[] | undefined> {
    const { crypto, signatures } = this.#options;
    const checked: CheckedBlock[] = [];
    let parent = 'facts' in after ? after.facts : after;
    for (const { block, certificate } of blocks) {
      const decoded = await decodeBlock(crypto, block);
      const facts = 'verdict' in decoded ? undefined : factsOf(decoded.header, toHex(decoded.hash));
      if ('verdict' in decoded || facts === undefined) return this.#refuse(peer, 'a block that is none');
      const follows =
        facts.parentHash === parent.hash &&
        facts.height === parent.height + 1 &&
        Buffer.compare(decoded.itemsRoot, decoded.header.transactions_root) === 0;
      if (!follows) return this.#refuse(peer, 'blocks that do not follow each other');
      if (certificate !== undefined) {
        const fits =
          certificate.kind === 'finalize' &&
          certificate.hash === facts.hash &&
          certificate.epoch === facts.epoch;
        if (!fits || !(await signatures.isCertified(certificate))) {
          return this.#refuse(peer, 'a certificate that is not good');
        }
      }
      checked.push({ ...decoded, facts, certificate });
      parent = facts;
    }
    return checked;
  }

  #refuse(peer: number, reason: string): undefined {
    this.#options.network.drop(peer, reason);
    return undefined;
  }

  /**
   * @param blocks the last with a certificate
   * @returns undefined where the tip has become another in the meantime, or nothing can be said of a block now
   */
  async #apply(blocks: readonly CheckedBlock[]): Promise<CaughtUp | undefined> {
    const { chain, commit, onWithheld } = this.#options;
    const finalization = blocks.at(-1)?.certificate;
    if (finalization === undefined) return undefined;
    let done: CaughtUp | undefined;
    for (const block of blocks) {
      const { parent_hash: parent, epoch, view, proposer } = block.header;
      const verdict = await chain.verify(block, { parent, epoch, view, proposer });
      if (verdict.verdict === 'invalid') {
        const { what, stored, computed } = verdict;
        throw new Divergence(
          `block ${block.facts.height} is final, but executing it gives something else: ${what} is ${stored} there and ${computed} here`,
        );
      }
      if (verdict.verdict === 'withheld') {
        onWithheld(block.facts.height, verdict.reason);
        return undefined;
      }
      if (verdict.verdict === 'unknown_parent') return undefined;
      await commit(verdict.block, block.certificate, finalization);
      if (block.certificate !== undefined) {
        done = { committed: block.facts, finalization: block.certificate };
      }
    }
    return done;
  }

  #tip(): Pick<BlockFacts, 'hash' | 'height'> {
    const { header, hash } = this.#options.chain.tip;
    return { hash: toHex(hash), height: Number(header.height) };
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
