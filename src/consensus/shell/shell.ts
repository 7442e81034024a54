import { toError } from '../../base/errors.js';
import type { ConsensusMetrics, PeerHealth } from '../../generated/node-rpc-v1.js';
import { quorumOf } from '../../ledger/validators/quorum.js';
import type { ConsensusInfo, SyncInfo } from '../consensus-info.js';
import type { JournalEntry } from '../core/types.js';
import { createCore } from '../core.js';
import { BlockWork } from './block-work.js';
import { CoreClock } from './core-clock.js';
import { CoreDriver } from './core-driver.js';
import { EffectExecutor } from './effect-executor.js';
import { EpochStarts } from './epoch-starts.js';
import { FinalityMetrics } from './finality-metrics.js';
import { Inbox } from './inbox.js';
import { InvalidProposals } from './invalid-proposals.js';
import { KnownBlocks } from './known-blocks.js';
import { ListeningPhase } from './listening-phase.js';
import { ManualSealer } from './manual-sealer.js';
import { overdueMs } from './overdue.js';
import { PeerRequestHandler } from './peer-request-handler.js';
import type { PeerMessage } from './ports.js';
import type { ShellOptions } from './shell-options.js';
import { SyncStatus } from './sync-status.js';
import { Tasks } from './tasks.js';
import { Votes } from './votes.js';
import { WorkMonitor } from './work-monitor.js';

export type { ShellOptions } from './shell-options.js';

/**
 * The shell around the consensus core: journal, clock, keys, network and chain. It reports events to the core and
 * executes the core's effects in order: `effect-queue.ts` sequences them, `effect-executor.ts` dispatches them.
 */
export class ConsensusShell implements ConsensusInfo {
  readonly #options: ShellOptions;
  readonly #clock: CoreClock;
  readonly #core;
  readonly #driver: CoreDriver;
  readonly #known: KnownBlocks;
  readonly #tasks: Tasks;
  readonly #blocks: BlockWork;
  readonly #votes: Votes;
  readonly #syncStatus: SyncStatus;
  readonly #inbox: Inbox;
  readonly #work: WorkMonitor;
  readonly #manual: ManualSealer;
  readonly #starts: EpochStarts;
  readonly #executor: EffectExecutor;
  readonly #times: FinalityMetrics;
  readonly #invalid = new InvalidProposals();
  #isRunning = false;
  #startedAt = 0;
  /** Whether the core has entered its first epoch. */
  #hasStarted = false;
  /** Defined until this process may vote. */
  #listening: ListeningPhase | undefined;

  constructor(options: ShellOptions) {
    this.#options = options;
    const { runtime, chain, store, blocks, crypto, network, config, rules, journal, log } = options;
    const isSole = this.#isSole;
    const isRunning = () => this.#isRunning;
    const onFailure = (error: unknown) => this.#fail(error);
    const self = () => this.#starts.membership.self;
    this.#clock = new CoreClock(runtime.now);
    this.#times = new FinalityMetrics(runtime.now);
    this.#core = createCore(config, rules);
    this.#known = new KnownBlocks(crypto, runtime);
    this.#tasks = new Tasks({ isRunning, onFailure, log });
    this.#driver = new CoreDriver({
      runtime,
      core: this.#core,
      clock: this.#clock,
      journal: journal && ((entries) => journal.append(entries, (hash) => this.#known.get(hash)?.encoded())),
      perform: (effect) => this.#executor.execute(effect),
      onFailure,
    });
    const common = { isSole, isRunning, self, onFailure, known: this.#known, tasks: this.#tasks };
    const dispatch: CoreDriver['dispatch'] = (news) => this.#driver.dispatch(news);
    this.#manual = new ManualSealer({
      start: () => this.start(),
      quiet: () => this.#whenIdle(),
      onRequested: () => this.#work.refresh(),
    });
    this.#work = new WorkMonitor({
      runtime,
      pool: options.isManual === true ? NO_POOL : options.pool,
      other: options.isManual === true ? () => this.#manual.isRequested : () => this.#hasOtherWork,
      isQuietWhenIdle: config.idleBlockTimeMs === 0,
      sinceBlockMs: () => this.#times.sinceFinalMs ?? this.#tipAgeMs,
      onWork: (work) => dispatch({ type: 'work', work }),
    });
    this.#blocks = new BlockWork({
      ...options,
      ...common,
      clock: this.#clock,
      driver: this.#driver,
      work: this.#work,
      manual: this.#manual,
      times: this.#times,
      caughtUp: () => this.#syncStatus.caughtUp,
      onInvalid: (proposer) => {
        this.#invalid.count(proposer);
        options.onInvalidProposal?.(proposer);
      },
    });
    this.#syncStatus = new SyncStatus({
      ...options,
      dispatch,
      onFailure,
      commit: (block, certificate, finalization) =>
        this.#blocks.commitFetched(block, certificate, finalization),
      peers: {
        needed: () => (self() < 0 ? 1 : quorumOf(this.#starts.membership.validators) - 1),
        bestHeight: () => this.#inbox.bestHeight(this.#starts.membership.validators),
        hasStarted: () => this.#hasStarted,
      },
    });
    this.#votes = new Votes({ ...options, ...common, dispatch });
    const serving = new PeerRequestHandler({
      known: this.#known,
      blocks,
      store,
      tipHeight: () => Number(chain.tip.header.height),
      now: runtime.now,
    });
    this.#inbox = new Inbox({
      core: this.#core,
      dispatch,
      known: this.#known,
      serving,
      signatures: options.signatures,
      network,
      hasStarted: () => this.#hasStarted,
      self,
      onPositionReported: (from) => this.#listening?.onAnswer(from),
      onFinalized: (from, answer) => this.#syncStatus.onAnswer(from, answer),
      onError: (error) => this.#tasks.handleError(error, "handling a validator's message"),
    });
    this.#starts = new EpochStarts({
      ...options,
      network: {
        connected: () => network.connected(),
        enterEpoch: (epoch) => {
          const renamed = network.enterEpoch(epoch);
          this.#inbox.reindex(renamed);
          this.#invalid.reindex(renamed);
          return renamed;
        },
      },
    });
    this.#executor = new EffectExecutor({
      ...options,
      ...common,
      votes: this.#votes,
      blocks: this.#blocks,
      serving,
      inbox: this.#inbox,
      syncStatus: this.#syncStatus,
      enterEpoch: (epoch) => this.#enterEpoch(epoch),
    });
  }

  /** Starts consensus, or resumes where the last process stopped. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const { runtime, network } = this.#options;
    this.#startedAt = runtime.now();
    this.#tasks.run('starting', async () => {
      const { setup, journal } = await this.#starts.first();
      for (const entry of journal) this.#restore(entry);
      // A sole validator also counts the block time across restarts.
      if (this.#isSole) this.#clock.stopSince(this.#tipAgeMs);
      this.#listening = this.#isSole ? undefined : this.#newListening();
      const listens = this.#listening !== undefined;
      this.#driver.dispatch({ type: 'start', setup: { ...setup, listens, connected: [] }, journal });
      this.#hasStarted = true;
      for (const peer of network.connected()) this.#driver.dispatch({ type: 'connected', peer });
      this.#inbox.deliverHeld();
      this.#blocks.resume();
      this.#blocks.checkForEnvelopes();
      // The core has ignored work that was reported before it started.
      this.#work.reannounce();
      await this.#listen();
    });
  }

  #newListening(): ListeningPhase {
    const { runtime, network } = this.#options;
    return new ListeningPhase({
      runtime,
      network,
      ask: (peer) => {
        const { epoch, view } = this.#core.status();
        network.send(peer, { type: 'get_certificates', epoch, fromView: view, toView: view });
      },
    });
  }

  async #listen(): Promise<void> {
    const others = () => quorumOf(this.#starts.membership.validators) - 1;
    if (this.#listening === undefined) return;
    await this.#listening.wait(others, () => this.#isRunning);
    this.#listening = undefined;
    this.#driver.dispatch({ type: 'listened' });
  }

  /** Stops; work in progress is finished or cancelled first. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#work.stop();
    this.#syncStatus.stop();
    // A sole validator's block is committed as soon as it is built.
    if (this.#isSole) await this.#whenIdle();
    else this.#blocks.cancelProposal();
    await this.#driver.stop();
    await this.#blocks.stopVerifying();
    await this.#tasks.settled();
    await this.#blocks.ended();
  }

  /** Handles a message of another validator of the core's epoch. Never throws. */
  receive(from: number, message: PeerMessage): void {
    if (this.#isRunning) this.#inbox.receive(from, message);
  }

  onPeerConnected(peer: number): void {
    if (!this.#hasStarted) return;
    this.#driver.dispatch({ type: 'connected', peer });
  }

  onPeerDisconnected(peer: number): void {
    if (!this.#hasStarted) return;
    this.#driver.dispatch({ type: 'disconnected', peer });
  }

  onTransactionAdded(): void {
    if (this.#isRunning) this.#work.onTransactionAdded();
  }

  /** Called when {@link ShellOptions.hasOtherWork} may have changed. */
  onOtherWork(): void {
    if (this.#isRunning) this.#work.refresh();
  }

  /**
   * Seals one block now, empty or not; requires `isManual`.
   * @param timestampMs the block's time; raised to the parent's plus one if not later
   */
  async sealNow(timestampMs: number = this.#options.runtime.wallMs()): Promise<void> {
    await this.#manual.seal(timestampMs);
  }

  get sinceFinalMs(): number | undefined {
    return this.#times.sinceFinalMs;
  }

  metrics(): ConsensusMetrics {
    return this.#times.metrics(this.#core.status(), this.#votes.equivocations);
  }

  get index(): number | undefined {
    const { self } = this.#starts.membership;
    return self < 0 ? undefined : self;
  }

  get epochKeyAvailable(): boolean {
    return this.#isSole || this.#starts.membership.mayVote;
  }

  get overdueMs(): number | undefined {
    if (!this.#isRunning) return undefined;
    return overdueMs({
      ...this.#options.config,
      sinceBlockMs: this.#times.sinceFinalMs ?? this.#options.runtime.now() - this.#startedAt,
      waitingMs: this.#work.waitingMs,
    });
  }

  peers(tip = this.#options.chain.tip.header.height): readonly PeerHealth[] {
    return this.#invalid.annotate(this.#inbox.annotate(this.#options.network.peers(), tip));
  }

  sync(): SyncInfo {
    return this.#syncStatus.sync(this.#isSole ? 'alone' : 'among others');
  }

  /** Number of held blocks that are not final, of certificates not yet checked, and of messages held back. */
  get held(): { readonly blocks: number; readonly certificates: number; readonly messages: number } {
    return {
      blocks: this.#known.size,
      certificates: this.#inbox.certificates,
      messages: this.#inbox.heldBack,
    };
  }

  /** How this node disagrees with a quorum; if defined, it no longer votes. */
  get divergence(): string | undefined {
    return this.#syncStatus.divergence;
  }

  get #isSole(): boolean {
    return this.#options.journal === undefined;
  }

  get #tipAgeMs(): number {
    const { timestamp_ms: timestampMs } = this.#options.chain.tip.header;
    return Math.max(0, this.#options.runtime.wallMs() - Number(timestampMs));
  }

  #restore(entry: JournalEntry): void {
    if (entry.type !== 'block' || entry.block.height <= this.#options.chain.tip.header.height) return;
    const block = this.#options.journal?.block(entry.block.hash);
    if (block !== undefined) this.#known.restore(block, entry.block);
  }

  get #hasOtherWork(): boolean {
    return this.#blocks.hasEnvelopes || this.#options.hasOtherWork?.() === true;
  }

  /** Enters an epoch after the previous one has ended. */
  async #enterEpoch(epoch: number): Promise<void> {
    const setup = await this.#starts.next(epoch);
    this.#listening?.restart();
    const listens = this.#listening !== undefined;
    this.#driver.dispatch({ type: 'start', setup: { ...setup, listens }, journal: [] });
    // Signs due keys at once with this epoch's shares.
    this.#blocks.checkForEnvelopes();
    this.#inbox.deliverHeld();
    this.#work.refresh();
  }

  /** Resolves when no task and no commit is running. */
  async #whenIdle(): Promise<void> {
    while (!this.#tasks.isIdle || !this.#blocks.isIdle) {
      await this.#tasks.settled();
      await this.#blocks.idle;
    }
  }

  #fail(error: unknown): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    const reason = toError(error);
    this.#work.stop();
    this.#syncStatus.stop();
    void this.#driver.stop();
    this.#manual.fail(reason);
    this.#options.onFailure(reason);
  }
}

const NO_POOL = { hasReady: () => false, heldBackFee: () => undefined };
