import { maxFaulty } from '../core/rules.js';
import type { Certificate, VoteMessage, VoteName } from '../core/types.js';
import type { SimBlock, Violation } from './model.js';

/** Safety checks of a run over all signed votes and commits; records the first violation. */
export class Checks {
  violation: Violation | undefined;
  /** The final block at each height. */
  readonly #final: (SimBlock | undefined)[] = [];
  readonly #finalizers = new Map<string, Set<number>>();
  readonly #signed: Map<string, VoteMessage>[];
  readonly #quorum: number;
  readonly #watchVotes: boolean;
  /** Highest height with a block finalized by a quorum. */
  finalHeight = 0;

  constructor(validators: number, watchVotes: boolean) {
    this.#quorum = validators - maxFaulty(validators);
    this.#watchVotes = watchVotes;
    this.#signed = Array.from({ length: validators }, () => new Map());
  }

  fail(kind: Violation['kind'], what: string, atMs: number): void {
    this.violation ??= { kind, what, atMs };
  }

  /** Records a sent vote. A quorum of finalize votes makes a block final, even if no node has noticed. */
  noteVote(message: VoteMessage, signer: number, block: SimBlock | undefined, atMs: number): void {
    if (message.kind !== 'finalize') return;
    const key = `${message.epoch}/${message.view}/${message.parentView}/${message.hash}`;
    let signers = this.#finalizers.get(key);
    if (signers === undefined) {
      signers = new Set();
      this.#finalizers.set(key, signers);
    }
    signers.add(signer);
    if (signers.size >= this.#quorum && block !== undefined) this.#noteFinal(block, atMs);
  }

  /** Checks an honest validator's commit against its previous one. */
  noteCommit(
    node: number,
    block: SimBlock,
    parent: SimBlock | undefined,
    { kind, epoch, view }: Certificate,
    atMs: number,
  ): void {
    const unsafe = (what: string) => this.fail('safety', `validator ${node} commits ${what}`, atMs);
    if (block.parentHash !== parent?.hash || block.height !== parent.height + 1)
      unsafe(`${block.hash} on ${parent?.hash}, not on its parent`);
    if (!block.valid) unsafe(`the invalid block ${block.hash}`);
    if (kind !== 'finalize' || epoch !== block.epoch || view < block.view)
      unsafe(`${block.hash} under a certificate of another place`);
    this.#noteFinal(block, atMs);
  }

  #noteFinal(block: SimBlock, atMs: number): void {
    const known = this.#final[block.height];
    if (known !== undefined && known.hash !== block.hash)
      this.fail('safety', `${known.hash} and ${block.hash} are both final at height ${block.height}`, atMs);
    this.#final[block.height] = block;
    this.finalHeight = Math.max(this.finalHeight, block.height);
  }

  /** Checks that an honest validator's vote contradicts none of its earlier ones, across restarts. */
  noteOwnVote(message: VoteMessage, signer: number, atMs: number): void {
    const signed = this.#signed[signer];
    if (signed === undefined || !this.#watchVotes) return;
    const place = `${message.epoch}/${message.view}/`;
    const same = signed.get(place + message.kind);
    if (same !== undefined && (same.hash !== message.hash || same.parentView !== message.parentView))
      this.fail('safety', `validator ${signer} signs two ${message.kind} of view ${message.view}`, atMs);
    // A nullify may follow a notarize; no other pair may share a view (rule 4).
    const other: VoteName = message.kind === 'nullify' ? 'finalize' : 'nullify';
    if (same === undefined && signed.has(place + other))
      this.fail(
        'safety',
        `validator ${signer} signs ${other}, then ${message.kind} of view ${message.view}`,
        atMs,
      );
    signed.set(place + message.kind, message);
  }
}
