/**
 * Inputs and outputs of the state machine in `../core.ts`: its interface to the shell, which owns keys, journal, clock,
 * network and chain.
 *
 * Views, epochs and heights are safe integers here and u64 on the wire (`wire.ts` converts and rejects larger ones).
 * Times are milliseconds of one monotonic clock with an arbitrary zero.
 */

/** A block hash: 64 lower-case hexadecimal digits. */
export type BlockHash = string;

/** The block hash in a nullify: 32 zero bytes. */
export const NO_BLOCK: BlockHash = '0'.repeat(64);

export type VoteName = 'notarize' | 'nullify' | 'finalize';

/** The message of a vote: the fields of the signed bytes. */
export interface VoteMessage {
  readonly kind: VoteName;
  readonly epoch: number;
  readonly view: number;
  /** 0 for nullify. */
  readonly parentView: number;
  /** {@link NO_BLOCK} for nullify. */
  readonly hash: BlockHash;
}

/** A validator's vote. The core never inspects the signatures; it returns them for certificates and evidence. */
export interface Vote extends VoteMessage {
  /** Index in the epoch's validator set. */
  readonly signer: number;
  /** BLS partial signature, 96 bytes. */
  readonly partial: Uint8Array;
  /** ed25519 identity signature, 64 bytes. */
  readonly signature: Uint8Array;
}

/** q votes for one message under one group signature. Inside the core it is always verified. */
export interface Certificate extends VoteMessage {
  /** BLS signature, 96 bytes. */
  readonly signature: Uint8Array;
}

/** The header fields of a block that the core uses. */
export interface BlockFacts {
  readonly hash: BlockHash;
  readonly parentHash: BlockHash;
  readonly height: number;
  readonly epoch: number;
  readonly view: number;
  /** Index of the proposer in the set of the block's epoch. */
  readonly proposer: number;
}

/** Configuration that is constant for the life of a core. */
export interface CoreConfig {
  /** Blocks per epoch, from the genesis: epoch e ends with the block of height (e + 1) · epochLength. */
  readonly epochLength: number;
  /** Δ of rule 1. */
  readonly deltaMs: number;
  readonly blockTimeMs: number;
  /** 0 disables blocks without work. */
  readonly idleBlockTimeMs: number;
  /** Whether a block is due as soon as a transaction is ready, instead of a block time after its parent. */
  readonly sealInstantly: boolean;
}

/** The state of an epoch when the core enters it. */
export interface EpochSetup {
  readonly epoch: number;
  /** Size of the epoch's validator set. */
  readonly validators: number;
  /** This node's index in the set, or -1 for non-members. */
  readonly self: number;
  /** Rule 9: false if journal and share do not match, or the epoch's share is missing; it then follows. */
  readonly mayVote: boolean;
  /** Whether to sign nothing new until `listened`: a journal reset to an earlier state lacks votes peers may know. */
  readonly listens?: boolean;
  readonly committed: BlockFacts;
  /**
   * The highest known finalization: normally that of {@link committed}, or of a descendant if the process crashed
   * before all blocks of one `commit` were written. Undefined while only the genesis is committed.
   */
  readonly finalization: Certificate | undefined;
  /** Indices of the connected validators. Empty when a process starts. */
  readonly connected: readonly number[];
}

/**
 * A journal entry. The shell stores a block's bytes under a `block` entry and returns its facts. `prune_journal`
 * removes entries by their epoch and view.
 */
export type JournalEntry =
  | {
      readonly type: 'block';
      readonly block: BlockFacts;
      /** View of the vote that follows; above the block's own view if an epoch's last block is proposed again. */
      readonly view: number;
    }
  | { readonly type: 'vote'; readonly message: VoteMessage }
  | { readonly type: 'certificate'; readonly certificate: Certificate };

/** An entry's epoch and view, which decide whether `prune_journal` removes it. */
export function placeOf(entry: JournalEntry): { readonly epoch: number; readonly view: number } {
  if (entry.type === 'block') return { epoch: entry.block.epoch, view: entry.view };
  return entry.type === 'vote' ? entry.message : entry.certificate;
}

export interface CertificateRequest {
  readonly epoch: number;
  readonly fromView: number;
  /** Inclusive. */
  readonly toView: number;
}

/** At most one timer of each name runs; setting it again replaces it. */
export type TimerName =
  /** A proposal becomes due (rule 1). */
  | 'due'
  | 'leader'
  | 'advance'
  /** The node is stuck in a view after nullify (rule 6). */
  | 'resend'
  /** A request was not answered: the next peer is asked. */
  | 'request'
  /** A withheld verdict is requested again (rule 8). */
  | 'verdict';

/** Work known to the shell (rule 1); the core itself adds notarized blocks. */
export interface Work {
  /** Ready transactions, which make a block due at once with `sealInstantly`. */
  readonly transactions: boolean;
  /** An unopened envelope, or this node's dealing that is not in a block yet. */
  readonly other: boolean;
  /** Somebody wants a block of a sole validator now, even an empty one. */
  readonly urgent?: boolean;
}

/** An input event. `nowMs` never decreases. */
export type CoreEvent = { readonly nowMs: number } & (
  | {
      /**
       * The first event of a process; later, the entry into the next epoch after `epoch_ended`, with an empty journal.
       * `journal` holds the entries of this and later epochs in write order.
       */
      readonly type: 'start';
      readonly setup: EpochSetup;
      readonly journal: readonly JournalEntry[];
    }
  | { readonly type: 'connected'; readonly peer: number }
  | { readonly type: 'disconnected'; readonly peer: number }
  /** A vote of any epoch, sent by its signer; its signatures have the right length but are unchecked. */
  | { readonly type: 'vote'; readonly vote: Vote }
  /** A vote of this node, returned by a peer and accepted by `wantsOwnVote`; its identity signature is checked. */
  | { readonly type: 'own_vote'; readonly message: VoteMessage }
  /** A quorum has reported its position (`EpochSetup.listens`). */
  | { readonly type: 'listened' }
  /** A certificate accepted by `wantsCertificate`, with a valid signature. */
  | { readonly type: 'certificate'; readonly certificate: Certificate; readonly from: number }
  /** A certificate that the core did not want, or an unchecked message: it only shows the sender's position. */
  | { readonly type: 'heard'; readonly from: number; readonly message: VoteMessage }
  /**
   * A block accepted by `wantsBlock`, whose bytes the shell holds under its hash. The shell has checked that header and
   * body match (body root): verdicts are stored by hash, so a mismatched body must not spoil one.
   */
  | { readonly type: 'block'; readonly block: BlockFacts; readonly from: number }
  /** The shell limits a peer's rate of requests. */
  | ({ readonly type: 'certificates_requested'; readonly peer: number } & CertificateRequest)
  /** Answer to `assemble`: the signature under the group key. */
  | { readonly type: 'assembled'; readonly message: VoteMessage; readonly signature: Uint8Array }
  /** Other answer to `assemble`: the signers of invalid partial signatures; empty if assembly failed otherwise. */
  | { readonly type: 'bad_partials'; readonly message: VoteMessage; readonly signers: readonly number[] }
  | { readonly type: 'timer'; readonly timer: TimerName }
  | { readonly type: 'work'; readonly work: Work }
  /** Answer to `propose`; the shell holds the bytes, and the block counts as verified. */
  | { readonly type: 'proposed'; readonly block: BlockFacts }
  /** Other answer to `propose`: there was nothing to put into a block that must not be empty, or building it failed. */
  | { readonly type: 'not_proposed'; readonly epoch: number; readonly view: number }
  /**
   * Answer to `verify`. `withheld`: clock, time limit or load prevent a verdict now (rule 8), and the core asks again
   * after `retryMs`. `valid` and `invalid` are objective and final.
   */
  | { readonly type: 'verdict'; readonly hash: BlockHash; readonly verdict: 'valid' | 'invalid' }
  | {
      readonly type: 'verdict';
      readonly hash: BlockHash;
      readonly verdict: 'withheld';
      readonly retryMs: number;
    }
  | { readonly type: 'committed'; readonly hash: BlockHash }
  /** Blocks of the core's epoch up to this one were fetched and committed outside the core, after `fell_behind`. */
  | { readonly type: 'synced'; readonly committed: BlockFacts; readonly finalization: Certificate }
  /** Other end of that sync: a block that the others finalized is invalid here (rule 8). */
  | { readonly type: 'sync_refuted' }
);

/**
 * Effects for the shell to execute in order. A `journal` is durable before any later effect runs: the shell queues the
 * effects of all steps, writes their `journal` entries with one sync, and continues. Timers need not wait for it.
 */
export type Effect =
  | { readonly type: 'journal'; readonly entries: readonly JournalEntry[] }
  /** Remove entries of this epoch up to this view, and of earlier epochs: a finalization above them is committed. */
  | { readonly type: 'prune_journal'; readonly epoch: number; readonly view: number }
  /**
   * Sign this journaled vote and send it to `to`, or broadcast it. Both signatures are deterministic, so signing again
   * repeats the vote. With `block` it is a proposal, and the block's bytes are sent first.
   */
  | {
      readonly type: 'send_vote';
      readonly message: VoteMessage;
      readonly block: BlockHash | undefined;
      readonly to: number | undefined;
    }
  /** Send a peer a vote of its own that it may have forgotten. */
  | { readonly type: 'return_vote'; readonly vote: Vote; readonly to: number }
  /** Send a certificate to `to`, or broadcast it. */
  | { readonly type: 'send_certificate'; readonly certificate: Certificate; readonly to: number | undefined }
  /** Send the stored finalization of an earlier epoch's last block (rule 10). */
  | { readonly type: 'send_epoch_end'; readonly epoch: number; readonly to: number }
  /** Request a block from one peer; the core itself asks the next one on timeout. */
  | { readonly type: 'request_block'; readonly hash: BlockHash; readonly to: number }
  | ({ readonly type: 'request_certificates'; readonly to: number } & CertificateRequest)
  /**
   * Assemble a certificate from these votes for one message. `own` adds this node's vote, which only the shell has;
   * together they are at least q.
   */
  | {
      readonly type: 'assemble';
      readonly message: VoteMessage;
      readonly votes: readonly Vote[];
      readonly own: boolean;
    }
  /** Disconnect these peers, which sent invalid partial signatures. */
  | { readonly type: 'drop_peers'; readonly peers: readonly number[] }
  /** Two conflicting votes of one validator. At most one pair per signer, kind and view. */
  | { readonly type: 'evidence'; readonly first: Vote; readonly second: Vote }
  | {
      readonly type: 'propose';
      readonly epoch: number;
      readonly view: number;
      readonly parentHash: BlockHash;
      readonly parentView: number;
      readonly parentHeight: number;
      /** False if only transactions made a sole validator's block due: if none fits, the answer is `not_proposed`. */
      readonly allowEmpty: boolean;
      /** Until when to wait for missing keys of due heights; a block without one of them has no transactions (rule 2). */
      readonly keysUntilMs: number;
    }
  /** Verify this block, whose parent is verified or committed. `notarized`: the clock does not apply (rule 8). */
  | { readonly type: 'verify'; readonly block: BlockFacts; readonly notarized: boolean }
  /** Cancel the running `propose`. */
  | { readonly type: 'abandon'; readonly what: 'proposal' }
  /** Drop the bytes of blocks that are not committed and can no longer be. */
  | { readonly type: 'drop_blocks'; readonly hashes: readonly BlockHash[] }
  /** Drop the execution results of these blocks and their descendants; they are verified again before reuse. */
  | { readonly type: 'release_blocks'; readonly hashes: readonly BlockHash[] }
  /** Commit these verified blocks in order on top of the last commit, under this finalization of the last one. */
  | { readonly type: 'commit'; readonly hashes: readonly BlockHash[]; readonly certificate: Certificate }
  /** The preceding commit ended this epoch. Until the `start` of the next one, other events change nothing. */
  | { readonly type: 'epoch_ended'; readonly epoch: number }
  /** The finalized block is too far ahead to fetch singly: sync to `height` or later in its epoch, then send `synced`. */
  | { readonly type: 'fell_behind'; readonly certificate: Certificate; readonly height: number }
  /** Rule 8: q validators notarized a block that is invalid here. The core stops voting. */
  | { readonly type: 'diverged'; readonly block: BlockFacts; readonly certificate: Certificate }
  /** `atMs` may already have passed. */
  | { readonly type: 'set_timer'; readonly timer: TimerName; readonly atMs: number }
  | { readonly type: 'cancel_timer'; readonly timer: TimerName };

export type EffectOf<T extends Effect['type']> = Extract<Effect, { readonly type: T }>;

/** Process-wide counters across all epochs. */
export interface Counters {
  proposals: number;
  notarizations: number;
  nullifications: number;
  finalizations: number;
  timeouts: number;
}

export interface CoreStatus extends Readonly<Counters> {
  readonly epoch: number;
  readonly view: number;
  readonly leader: number;
  /** View of the highest finalization of this epoch, or 0. */
  readonly finalizedView: number;
  readonly voting: boolean;
  readonly diverged: boolean;
}

export interface ConsensusCore {
  /** Never throws because of peer input. */
  step(event: CoreEvent): readonly Effect[];
  /** Cheap check before signature verification; false if the certificate would change nothing: send `heard` instead. */
  wantsCertificate(message: VoteMessage): boolean;
  /**
   * Cheap check before signature verification: false if the vote would only count as `heard` or repeats another; `step`
   * then takes it unverified.
   */
  wantsVote(vote: VoteMessage & { readonly signer: number }): boolean;
  /** Cheap check: true if a vote of this node, returned by a peer, is unknown here. */
  wantsOwnVote(vote: VoteMessage): boolean;
  /** True if a pushed or requested block is useful; called before its body is decoded. */
  wantsBlock(block: Pick<BlockFacts, 'hash' | 'epoch' | 'view'>, from: number): boolean;
  /** True from `epoch_ended` until `start`: the shell holds back (bounded) messages of the next epoch. */
  readonly ended: boolean;
  status(): CoreStatus;
}
