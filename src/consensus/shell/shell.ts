import type { ConsensusMetrics, PeerHealth } from '../../generated/node-rpc-v1.js';
import type { ConsensusInfo, SyncInfo } from '../consensus-info.js';
import type { BlockHash } from '../core/types.js';
import { createCore } from '../core.js';
import { BlockCommits } from './block-commits.js';
import { BlockProposals } from './block-proposals.js';
import { BlockVerifications } from './block-verifications.js';
import { hashBytes } from './conversions.js';
import { CoreQueue } from './core-queue.js';
import { EffectPerformer } from './effect-performer.js';
import { EpochEntry } from './epoch-entry.js';
import { FinalityMetrics, overdueMs } from './finality-metrics.js';
import { Inbox } from './inbox.js';
import { KnownBlocks } from './known-blocks.js';
import { Lifecycle } from './lifecycle.js';
import { ListeningPhase } from './listening-phase.js';
import { ManualSealer, type RequestedBlock, SealError } from './manual-sealer.js';
import { OwnProposal } from './own-proposal.js';
import { PeerRecords } from './peer-records.js';
import { PeerRequestHandler } from './peer-request-handler.js';
import type { ChainBlock, PeerMessage } from './ports.js';
import { SealedEnvelopes } from './sealed-envelopes.js';
import { type ShellContext, type ShellOptions, tipAgeMs } from './shell-context.js';
import { SyncStatus } from './sync-status.js';
import { Votes } from './votes.js';
import { WorkMonitor } from './work-monitor.js';

const NO_POOL = { hasReady: () => false, heldBackFee: () => undefined };

/**
 * The shell around the consensus core: journal, clock, keys, network and chain. Components push events to one queue,
 * which steps the core (`core-queue.ts`); the core's effects go from the queue, in order, to the components that
 * perform them (`effect-performer.ts`).
 */
export class ConsensusShell<B extends ChainBlock = ChainBlock> implements ConsensusInfo {
  readonly #options: ShellOptions<B>;
  readonly #parts: ReturnType<typeof buildShell<B>>;

  constructor(options: ShellOptions<B>) {
    this.#options = options;
    this.#parts = buildShell(options, (reason) => this.#onFailure(reason));
  }

  /** Starts consensus, or resumes where the last process stopped; has no effect if it has started before. */
  start(): void {
    const { lifecycle, epochs } = this.#parts;
    if (lifecycle.start()) lifecycle.run('starting', () => epochs.first(), true);
  }

  /** Stops for good; work in progress is finished or cancelled first. */
  async stop(): Promise<void> {
    const { isSole, lifecycle, events, work, sync, proposals, verifications, commits, manual } = this.#parts;
    lifecycle.stop();
    work.stop();
    sync.stop();
    // A sole validator's block is committed as soon as it is built.
    if (isSole) await this.#whenIdle();
    else proposals.cancel();
    await events.stop();
    await verifications.stop();
    await sync.caughtUp;
    await lifecycle.settled();
    await proposals.ended;
    await commits.idle;
    manual.fail(new SealError('consensus has stopped'));
  }

  /** Handles a message of another validator of the core's epoch. Never throws. */
  receive(from: number, message: PeerMessage): void {
    const { lifecycle, inbox } = this.#parts;
    if (lifecycle.isRunning) inbox.receive(from, message);
  }

  onPeerConnected(peer: number): void {
    const { events } = this.#parts;
    if (events.hasStarted) events.push({ type: 'connected', peer });
  }

  onPeerDisconnected(peer: number): void {
    const { events } = this.#parts;
    if (events.hasStarted) events.push({ type: 'disconnected', peer });
  }

  onTransactionAdded(): void {
    const { lifecycle, work } = this.#parts;
    if (lifecycle.isRunning) work.onTransactionAdded();
  }

  /** Called when {@link ShellOptions.hasOtherWork} may have changed. */
  onOtherWork(): void {
    const { lifecycle, work } = this.#parts;
    if (lifecycle.isRunning) work.refresh();
  }

  /**
   * Seals one block now, empty or not; requires `isManual`.
   * @param timestampMs the block's time; raised to the parent's plus one if not later
   * @throws the error that ended consensus; SealError if it was stopped
   */
  async sealNow(timestampMs: number = this.#options.runtime.wallMs()): Promise<void> {
    await this.#seal({ timestampMs }, async () => {
      this.start();
      await this.#whenIdle();
    });
  }

  /**
   * Seals a block as soon as the one in progress has ended, at any pace; for a sole validator.
   * @returns hash of the committed block, 32 bytes
   * @throws the error that ended consensus; SealError if it was stopped
   */
  async sealSoon(block: RequestedBlock): Promise<Uint8Array> {
    return hashBytes(await this.#seal(block, async () => undefined));
  }

  #seal(block: RequestedBlock, prepare: () => Promise<void>): Promise<BlockHash> {
    const { manual, work } = this.#parts;
    return manual.seal(block, prepare, () => work.refresh());
  }

  get sinceFinalMs(): number | undefined {
    return this.#parts.times.sinceFinalMs;
  }

  metrics(): ConsensusMetrics {
    const { core, times, votes } = this.#parts;
    return times.metrics(core.status(), votes.equivocations);
  }

  get index(): number | undefined {
    const { self } = this.#parts.membership;
    return self < 0 ? undefined : self;
  }

  get epochKeyAvailable(): boolean {
    const { isSole, membership } = this.#parts;
    return isSole || membership.mayVote;
  }

  get overdueMs(): number | undefined {
    const { lifecycle, times, work } = this.#parts;
    const { runningMs } = lifecycle;
    if (runningMs === undefined) return undefined;
    return overdueMs({
      ...this.#options.config,
      sinceBlockMs: times.sinceFinalMs ?? runningMs,
      waitingMs: work.waitingMs,
    });
  }

  peers(tip = this.#options.chain.tip.header.height): readonly PeerHealth[] {
    return this.#parts.peers.annotate(this.#options.network.peers(), tip);
  }

  sync(): SyncInfo {
    return this.#parts.sync.info();
  }

  /** Number of held blocks that are not final, of certificates not yet checked, and of messages held back. */
  get held(): { readonly blocks: number; readonly certificates: number; readonly messages: number } {
    const { known, inbox } = this.#parts;
    return { blocks: known.size, certificates: inbox.certificates, messages: inbox.heldBack };
  }

  /** How this node disagrees with a quorum; if defined, it no longer votes. */
  get divergence(): string | undefined {
    return this.#parts.sync.divergence;
  }

  async #whenIdle(): Promise<void> {
    const { lifecycle, commits } = this.#parts;
    while (!lifecycle.isIdle || !commits.isIdle) {
      await lifecycle.settled();
      await commits.idle;
    }
  }

  /** Called when consensus has ended by a failure; {@link stop} waits for the work in progress. */
  #onFailure(reason: Error): void {
    const { events, work, sync, manual } = this.#parts;
    work.stop();
    sync.stop();
    void events.stop();
    manual.fail(reason);
    this.#options.onFailure(reason);
  }
}

/**
 * Builds the shell's components, each after those that it uses. Only effects flow back: the core's queue gets the
 * component that performs them last.
 * @param onFailure called once if consensus ends by a failure
 */
function buildShell<B extends ChainBlock>(options: ShellOptions<B>, onFailure: (reason: Error) => void) {
  const { runtime, config, rules, crypto, log, onFinal } = options;

  // The core, and what the components share.
  const lifecycle = new Lifecycle({ runtime, log, onFailure });
  const core = createCore(config, rules);
  const known = new KnownBlocks(crypto, runtime);
  const events = new CoreQueue({ ...options, core, known, lifecycle });
  const membership = { validators: 1, self: -1, mayVote: false };
  const isSole = options.journal === undefined;
  const { clock } = events;
  const context: ShellContext<B> = { ...options, isSole, lifecycle, core, events, clock, known, membership };

  // Work, and the blocks that include it.
  const times = new FinalityMetrics(runtime.now);
  const manual = new ManualSealer();
  const envelopes = new SealedEnvelopes(context);
  const hasOtherWork = () => envelopes.areWaiting || options.hasOtherWork?.() === true;
  const work = new WorkMonitor({
    runtime,
    pool: options.isManual === true ? NO_POOL : options.pool,
    other: options.isManual === true ? () => manual.isRequested : hasOtherWork,
    urgent: () => manual.isRequested,
    isQuietWhenIdle: config.idleBlockTimeMs === 0,
    sinceBlockMs: () => times.sinceFinalMs ?? tipAgeMs(options),
    clock: isSole ? clock : undefined,
    onWork: (work) => events.push({ type: 'work', work }),
  });
  const own = new OwnProposal(options.fillPolicy);
  const serving = new PeerRequestHandler(context);
  const peers = new PeerRecords((hash) => serving.heightOf(hash));
  const verifications = new BlockVerifications(context, peers);
  const commits = new BlockCommits(context, { manual, work, own, times, envelopes, verifications, onFinal });
  const proposals = new BlockProposals(context, { commits, manual, work, own });

  // The other validators' messages, and answers to them.
  const votes = new Votes(context);
  const sync = new SyncStatus(context, { peers, commits });
  const listening = new ListeningPhase(context);
  const inbox = new Inbox(context, { serving, peers, sync, listening });

  // The core's effects.
  const epochs = new EpochEntry(context, { membership, listening, inbox, peers, envelopes, work });
  const parts = { votes, proposals, verifications, commits, inbox, serving, sync, epochs };
  const performer = new EffectPerformer(context, parts);
  events.connect((effect) => performer.perform(effect));
  return { ...parts, isSole, lifecycle, core, events, known, membership, times, manual, work, peers };
}
