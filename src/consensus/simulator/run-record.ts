import type { VoteMessage } from '../core/types.js';
import { shortHash, type Violation } from './model.js';
import type { SimBlock, SimBlocks } from './sim-blocks.js';
import type { SimKeys } from './sim-signatures.js';

export interface RunRecordOptions {
  readonly blocks: Pick<SimBlocks, 'get' | 'isValid'>;
  readonly keys: Pick<SimKeys, 'signersOf'>;
  /** Number of votes that make a certificate. */
  readonly quorum: number;
  readonly nowMs: () => number;
}

/** The record of a run: final blocks, votes of honest validators, and the first violation. */
export class RunRecord {
  violation: Violation | undefined;
  /** Highest height with a block finalized by a quorum. */
  finalHeight = 0;
  /** The highest epoch and view in which an honest validator voted. */
  epoch = 0;
  view = 0;
  /** Number of views that honest validators have passed since the network became stable. */
  viewsSinceStable = 0;
  /** Number of votes of honest validators. */
  votes = 0;
  readonly #options: RunRecordOptions;
  /** The final block's hash at each height. */
  readonly #final: (string | undefined)[] = [];

  constructor(options: RunRecordOptions) {
    this.#options = options;
  }

  /** Sets the position of the validators when the run begins. */
  begin(epoch: number, view: number): void {
    this.epoch = epoch;
    this.view = view;
  }

  fail(kind: Violation['kind'], what: string): void {
    this.violation ??= { kind, what, atMs: this.#options.nowMs() };
  }

  finalAt(height: number): string | undefined {
    return this.#final[height];
  }

  /** Notes a block that a quorum has finalized, with its ancestors. */
  noteFinal(block: SimBlock): void {
    const { blocks } = this.#options;
    let at: SimBlock | undefined = block;
    while (at !== undefined) {
      const { hash, height, parentHash } = at.facts;
      const known = this.#final[height];
      if (known === hash) break;
      if (known !== undefined)
        this.fail('safety', `${shortHash(known)} and ${shortHash(hash)} are both final at height ${height}`);
      if (!blocks.isValid(hash)) this.fail('safety', `the invalid block ${shortHash(hash)} is final`);
      this.#final[height] = hash;
      at = blocks.get(parentHash);
    }
    this.finalHeight = Math.max(this.finalHeight, block.facts.height);
  }

  /** Notes a vote that is about to be signed; a quorum of finalize votes makes a block final. */
  noteVote(message: VoteMessage, signer: number): void {
    if (message.kind !== 'finalize') return;
    const { blocks, keys, quorum } = this.#options;
    const signers = keys.signersOf(message);
    const count = signers.size + (signers.has(signer) ? 0 : 1);
    const block = blocks.get(message.hash);
    if (count >= quorum && block !== undefined) this.noteFinal(block);
  }

  /** Notes an honest validator's vote. @param isStable whether the faults are over */
  noteHonestVote(message: VoteMessage, signer: number, isStable: boolean): void {
    this.noteVote(message, signer);
    const { epoch, view } = message;
    this.votes++;
    if (epoch < this.epoch || (epoch === this.epoch && view <= this.view)) return;
    if (isStable) this.viewsSinceStable += epoch === this.epoch ? view - this.view : view;
    this.epoch = epoch;
    this.view = view;
  }
}
