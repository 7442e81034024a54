import assert from 'node:assert/strict';
import type {
  BlockFacts,
  Certificate,
  ConsensusCore,
  CoreConfig,
  CoreEvent,
  Effect,
  EpochSetup,
  JournalEntry,
  TimerName,
  Vote,
  VoteName,
  Work,
} from '../../../src/consensus/core/types.js';
import { NO_BLOCK } from '../../../src/consensus/core/types.js';
import { createCore } from '../../../src/consensus/core.js';

/** An event without its time. */
type Happening = CoreEvent extends infer One ? (One extends CoreEvent ? Omit<One, 'nowMs'> : never) : never;

const SIGNATURE = new Uint8Array(96);

export const CONFIG: CoreConfig = {
  epochLength: 1_000,
  deltaMs: 500,
  blockTimeMs: 250,
  idleBlockTimeMs: 5_000,
  sealInstantly: false,
};

export const GENESIS: BlockFacts = {
  hash: 'genesis',
  parentHash: '',
  height: 0,
  epoch: 0,
  view: 0,
  proposer: 0,
};

/** A core driven by hand: the test plays the shell. The leader of view v in epoch 0 is validator v mod n. */
export class CoreHarness {
  readonly core: ConsensusCore;
  readonly validators: number;
  readonly self: number;
  nowMs = 0;
  /** Effects of the last event. */
  effects: readonly Effect[] = [];
  /** Expiry of each running timer. */
  readonly timers = new Map<TimerName, number>();

  constructor(options: {
    readonly self: number;
    readonly validators?: number;
    readonly config?: Partial<CoreConfig>;
    readonly setup?: Partial<EpochSetup>;
    readonly journal?: readonly JournalEntry[];
    readonly work?: boolean;
  }) {
    const { self, validators = 4, config, setup, journal = [], work = true } = options;
    this.validators = validators;
    this.self = self;
    this.core = createCore({ ...CONFIG, ...config });
    this.start(setup, journal);
    for (let peer = 0; peer < validators; peer++) if (peer !== self) this.step({ type: 'connected', peer });
    if (work) this.work({ transactions: true, other: false });
  }

  start(setup: Partial<EpochSetup> = {}, journal: readonly JournalEntry[] = []): readonly Effect[] {
    const { validators, self } = this;
    return this.step({
      type: 'start',
      setup: {
        epoch: 0,
        validators,
        self,
        mayVote: true,
        committed: GENESIS,
        finalization: undefined,
        connected: [],
        ...setup,
      },
      journal,
    });
  }

  step(happening: Happening): readonly Effect[] {
    this.effects = this.core.step({ ...happening, nowMs: this.nowMs });
    for (const effect of this.effects) {
      if (effect.type === 'set_timer') this.timers.set(effect.timer, effect.atMs);
      if (effect.type === 'cancel_timer') this.timers.delete(effect.timer);
    }
    return this.effects;
  }

  work(work: Work): readonly Effect[] {
    return this.step({ type: 'work', work });
  }

  fire(timer: TimerName): readonly Effect[] {
    const atMs = this.timers.get(timer);
    assert.ok(atMs !== undefined, `the ${timer} timer does not run`);
    this.timers.delete(timer);
    this.nowMs = Math.max(this.nowMs, atMs);
    return this.step({ type: 'timer', timer });
  }

  vote(signer: number, kind: VoteName, view: number, parentView = 0, hash = NO_BLOCK): readonly Effect[] {
    return this.step({ type: 'vote', vote: voteOf(signer, kind, view, parentView, hash) });
  }

  certificate(
    kind: VoteName,
    view: number,
    parentView = 0,
    hash = NO_BLOCK,
    from = this.other(),
  ): readonly Effect[] {
    return this.step({ type: 'certificate', certificate: certificateOf(kind, view, parentView, hash), from });
  }

  /** Answers an `assemble` among the last effects. */
  assemble(kind: VoteName): readonly Effect[] {
    const effect = this.effects.find((one) => one.type === 'assemble' && one.message.kind === kind);
    assert.ok(effect?.type === 'assemble', `nothing to assemble a ${kind} of`);
    return this.step({ type: 'assembled', message: effect.message, signature: SIGNATURE });
  }

  /** Delivers a leader's proposal: the block, then the vote. */
  propose(block: BlockFacts, parentView: number): readonly Effect[] {
    this.step({ type: 'block', block, from: block.proposer });
    return this.vote(block.proposer, 'notarize', block.view, parentView, block.hash);
  }

  verdict(hash: string, verdict: 'valid' | 'invalid' = 'valid'): readonly Effect[] {
    return this.step({ type: 'verdict', hash, verdict });
  }

  /** Notarizes a block as usual: proposed, found valid, and certified by others. */
  notarized(block: BlockFacts, parentView: number): readonly Effect[] {
    this.propose(block, parentView);
    this.verdict(block.hash);
    return this.certificate('notarize', block.view, parentView, block.hash);
  }

  /** Votes signed by this node in the last step, such as `nullify 3`. */
  get signed(): string[] {
    return this.effects.flatMap((effect) =>
      effect.type === 'send_vote' && effect.to === undefined
        ? [`${effect.message.kind} ${effect.message.view}`]
        : [],
    );
  }

  /** The kinds of the last effects, except timers. */
  get kinds(): string[] {
    return this.effects.map(({ type }) => type).filter((type) => !type.endsWith('_timer'));
  }

  of<T extends Effect['type']>(type: T): Extract<Effect, { type: T }>[] {
    return this.effects.filter((effect): effect is Extract<Effect, { type: T }> => effect.type === type);
  }

  get view(): number {
    return this.core.status().view;
  }

  other(): number {
    return this.self === 0 ? 1 : 0;
  }
}

export function voteOf(signer: number, kind: VoteName, view: number, parentView = 0, hash = NO_BLOCK): Vote {
  return {
    kind,
    epoch: 0,
    view,
    parentView,
    hash,
    signer,
    partial: SIGNATURE,
    signature: new Uint8Array(64),
  };
}

export function certificateOf(
  kind: VoteName,
  view: number,
  parentView = 0,
  hash = NO_BLOCK,
  epoch = 0,
): Certificate {
  return { kind, epoch, view, parentView, hash, signature: SIGNATURE };
}

/** A child of a block, in a view of epoch 0 with `validators` validators. */
export function childOf(parent: BlockFacts, view: number, validators = 4): BlockFacts {
  return {
    hash: `${parent.hash === 'genesis' ? 'b' : parent.hash}.${view}`,
    parentHash: parent.hash,
    height: parent.height + 1,
    epoch: 0,
    view,
    proposer: view % validators,
  };
}
