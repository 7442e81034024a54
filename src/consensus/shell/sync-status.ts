import { quorumOf } from '../../ledger/validators/quorum.js';
import type { SyncInfo } from '../consensus-info.js';
import type { EffectOf } from '../core/types.js';
import type { BlockCommits } from './block-commits.js';
import { CatchUp, Divergence } from './catch-up.js';
import type { PeerRecords } from './peer-records.js';
import type { ShellContext } from './shell-context.js';

export interface SyncStatusParts {
  readonly peers: Pick<PeerRecords, 'best'>;
  readonly commits: Pick<BlockCommits, 'commitFetched'>;
}

/** Maximum lag in blocks of a synced validator, because the next blocks are always in flight. */
const SYNCED_LAG = 2;

/** Tracks whether this validator is synced, catching up, or diverged from the others. */
export class SyncStatus {
  readonly #context: ShellContext;
  readonly #peers: Pick<PeerRecords, 'best'>;
  readonly #catchUp: CatchUp;
  #catchingUp: Promise<void> | undefined;
  #target: number | undefined;
  #divergence: string | undefined;

  constructor(context: ShellContext, { peers, commits }: SyncStatusParts) {
    this.#context = context;
    this.#peers = peers;
    this.#catchUp = new CatchUp({
      ...context,
      commit: (block, certificate, finalization) => commits.commitFetched(block, certificate, finalization),
      onWithheld: (height, reason) =>
        context.log.warn({ height, reason }, 'could not verify a final block yet; retrying'),
    });
  }

  /** Resolves when no catch-up is running. */
  get caughtUp(): Promise<void> {
    return this.#catchingUp ?? Promise.resolve();
  }

  get divergence(): string | undefined {
    return this.#divergence;
  }

  info(): SyncInfo {
    const { chain, isSole, membership } = this.#context;
    const tip = chain.tip.header.height;
    const isolation = isSole ? undefined : this.#isolation();
    const best = BigInt(this.#peers.best(membership.validators) ?? 0);
    const isBehind = best - tip > SYNCED_LAG;
    const reasons = [
      ...(isolation === undefined ? [] : [isolation]),
      ...(isBehind ? [`${best - tip} blocks behind the height that other validators report, ${best}`] : []),
      ...(this.#divergence === undefined ? [] : [`no longer votes: ${this.#divergence}`]),
      ...(this.#target === undefined ? [] : [`fetching final blocks up to height ${this.#target}`]),
    ];
    const isStalled = this.#divergence !== undefined || isolation !== undefined;
    const isCatchingUp = this.#target !== undefined || isBehind;
    const state = isStalled ? 'stalled' : isCatchingUp ? 'catching_up' : 'synced';
    const known = [tip, best, BigInt(this.#target ?? 0)];
    return { state, bestKnownHeight: known.reduce((a, b) => (a > b ? a : b)), reasons };
  }

  /** Why new blocks cannot reach this node, or undefined. */
  #isolation(): string | undefined {
    const { network, events, membership } = this.#context;
    if (!events.hasStarted) return 'consensus has not started here yet';
    const connected = network.connected().length;
    // A node outside the set only needs a source of final blocks.
    const needed = membership.self < 0 ? 1 : quorumOf(membership.validators) - 1;
    if (connected >= needed) return undefined;
    return `connected to ${connected} other validators, and agreement takes ${needed}`;
  }

  onAnswer(peer: number, answer: Parameters<CatchUp['onAnswer']>[1]): void {
    this.#catchUp.onAnswer(peer, answer);
  }

  /** Starts a catch-up to this height, unless one is running or this node has diverged, which no catch-up mends. */
  onFellBehind({ height, certificate }: EffectOf<'fell_behind'>): void {
    if (this.#catchingUp !== undefined || this.#divergence !== undefined) return;
    const { log, events, lifecycle } = this.#context;
    log.info({ height }, 'fell behind the other validators: fetching final blocks');
    this.#target = height;
    const ended = () => {
      this.#catchingUp = undefined;
      this.#target = undefined;
    };
    this.#catchingUp = this.#catchUp.run(height, certificate.epoch).then(
      (done) => {
        ended();
        if (done !== undefined) events.push({ type: 'synced', ...done });
      },
      (error: unknown) => {
        ended();
        if (error instanceof Divergence) {
          events.push({ type: 'sync_refuted' });
          this.onDiverged(error.message);
        } else {
          lifecycle.fail(error);
        }
      },
    );
  }

  /** Called when this node and a quorum disagree about a block's validity. @param what for the operator */
  onDiverged(what: string): void {
    this.#divergence = what;
    this.#context.log.error(
      { what },
      "this node and a quorum of the validators disagree about a block, so it no longer votes; check with heddle verify that its data is intact, and that it runs the others' version",
    );
  }

  /** Cancels a running catch-up; {@link caughtUp} resolves when it has ended. */
  stop(): void {
    this.#catchUp.stop();
  }
}
