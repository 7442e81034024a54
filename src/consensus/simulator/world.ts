import type { SealKey } from '../../generated/ledger.js';
import { quorumOf } from '../../ledger/validators/quorum.js';
import { RULES, type Rules } from '../core/rules.js';
import type { Certificate, VoteMessage } from '../core/types.js';
import { shortHash } from './model.js';
import type { Random } from './random.js';
import type { Scenario } from './scenario.js';
import { type SimBlock, SimBlocks } from './sim-blocks.js';
import { isSealKey, SimKeys } from './sim-signatures.js';
import { SimWorld, type Trace } from './sim-world.js';

export interface WorldOptions {
  readonly rules: Rules;
  /** Receives a line for each vote, certificate, commit, crash and fault. */
  readonly trace: Trace | undefined;
}

/** A run of the agreement: its keys and blocks, and the record of final blocks and honest votes. */
export class World extends SimWorld<Scenario> {
  readonly rules: Rules;
  readonly keys: SimKeys;
  readonly blocks: SimBlocks;
  /** Number of votes that make a certificate. */
  readonly quorum: number;
  /** The number of faulty validators that the agreement tolerates. */
  readonly faults: number;
  /** Whether something was committed or sent since the last goal check. */
  hasProgress = false;
  /** A certificate that exists, for forgeries. */
  anyFinalization: Certificate | undefined;
  /** Transactions that no block can include. */
  readonly unaffordable = new Set<number>();
  /** Highest height with a block finalized by a quorum. */
  finalHeight = 0;
  /** The highest epoch and view in which an honest validator voted. */
  epoch = 0;
  view = 0;
  /** Number of views that honest validators have passed since the network became stable. */
  viewsSinceStable = 0;
  /** Number of votes of honest validators. */
  votes = 0;
  /** The final block's hash at each height. */
  readonly #final: (string | undefined)[] = [];
  #transactions = 0;

  constructor(scenario: Scenario, random: Random, { rules, trace }: WorldOptions) {
    super(scenario, random, trace);
    const { validators, core, envelopes } = scenario;
    this.rules = rules;
    this.quorum = quorumOf(validators);
    this.faults = validators - this.quorum;
    this.keys = new SimKeys(this.quorum);
    const isKey = (key: SealKey) => isSealKey(this.keys, key);
    this.blocks = new SimBlocks(core.epochLength, validators, envelopes ? isKey : undefined);
  }

  leaderOf(epoch: number, view: number): number {
    return RULES.leader(view, epoch, this.scenario.validators);
  }

  newTransaction(): number {
    return ++this.#transactions;
  }

  finalAt(height: number): string | undefined {
    return this.#final[height];
  }

  finalBlock(height: number): SimBlock | undefined {
    return this.blocks.get(this.#final[height] ?? '');
  }

  /** Notes a block that a quorum has finalized, with its ancestors. */
  noteFinal(block: SimBlock): void {
    let at: SimBlock | undefined = block;
    while (at !== undefined) {
      const { hash, height, parentHash } = at.facts;
      const known = this.#final[height];
      if (known === hash) break;
      if (known !== undefined)
        this.fail('safety', `${shortHash(known)} and ${shortHash(hash)} are both final at height ${height}`);
      if (!this.blocks.isValid(hash)) this.fail('safety', `the invalid block ${shortHash(hash)} is final`);
      this.#final[height] = hash;
      at = this.blocks.get(parentHash);
    }
    this.finalHeight = Math.max(this.finalHeight, block.facts.height);
  }

  /** Notes a vote that is about to be signed; a quorum of finalize votes makes a block final. */
  noteVote(message: VoteMessage, signer: number): void {
    if (message.kind !== 'finalize') return;
    const signers = this.keys.signersOf(message);
    const count = signers.size + (signers.has(signer) ? 0 : 1);
    const block = this.blocks.get(message.hash);
    if (count >= this.quorum && block !== undefined) this.noteFinal(block);
  }

  noteHonestVote(message: VoteMessage, signer: number): void {
    this.noteVote(message, signer);
    const { epoch, view } = message;
    this.votes++;
    if (epoch < this.epoch || (epoch === this.epoch && view <= this.view)) return;
    if (this.isStable) this.viewsSinceStable += epoch === this.epoch ? view - this.view : view;
    this.epoch = epoch;
    this.view = view;
  }
}
