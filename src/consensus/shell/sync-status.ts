import type { SyncInfo } from '../consensus-info.js';
import type { EffectOf } from '../core/types.js';
import { CatchUp, type CatchUpOptions, Divergence } from './catch-up.js';
import type { CoreInput } from './core-driver.js';
import type { ShellOptions } from './shell-options.js';

export interface SyncStatusOptions extends Pick<ShellOptions, 'log'>, Omit<CatchUpOptions, 'onWithheld'> {
  readonly dispatch: (news: CoreInput) => void;
  readonly onFailure: (error: unknown) => void;
  readonly peers: {
    /** Minimum number of connections needed to learn of new blocks. */
    readonly needed: () => number;
    /** Highest height verified by more validators than may be faulty; undefined if unknown. */
    readonly bestHeight: () => number | undefined;
    readonly hasStarted: () => boolean;
  };
}

/** Maximum lag in blocks of a synced validator, because the next blocks are always in flight. */
const SYNCED_LAG = 2;

/** Tracks whether this validator is synced, catching up, or diverged from the others. */
export class SyncStatus {
  readonly #options: SyncStatusOptions;
  readonly #catchUp: CatchUp;
  #catchingUp: Promise<void> | undefined;
  /** Target height of the running catch-up. */
  #target: number | undefined;
  #divergence: string | undefined;

  constructor(options: SyncStatusOptions) {
    this.#options = options;
    this.#catchUp = new CatchUp({
      ...options,
      onWithheld: (height, reason) =>
        options.log.warn({ height, reason }, 'could not verify a final block yet; retrying'),
    });
  }

  /** Resolves when no catch-up is running. */
  get caughtUp(): Promise<void> {
    return this.#catchingUp ?? Promise.resolve();
  }

  /** How this node disagrees with a quorum; if defined, it no longer votes. */
  get divergence(): string | undefined {
    return this.#divergence;
  }

  sync(place: 'alone' | 'among others'): SyncInfo {
    const tip = this.#options.chain.tip.header.height;
    const isolation = place === 'alone' ? undefined : this.#isolation();
    const best = BigInt(this.#options.peers.bestHeight() ?? 0);
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
    const { network, peers } = this.#options;
    if (!peers.hasStarted()) return 'consensus has not started here yet';
    const [connected, needed] = [network.connected().length, peers.needed()];
    if (connected >= needed) return undefined;
    return `connected to ${connected} other validators, and agreement takes ${needed}`;
  }

  /** Handles a peer's final blocks. */
  onAnswer(peer: number, answer: Parameters<CatchUp['onAnswer']>[1]): void {
    this.#catchUp.onAnswer(peer, answer);
  }

  /** Starts a catch-up to this height, unless one is running. */
  onFellBehind({ height }: EffectOf<'fell_behind'>): void {
    if (this.#catchingUp !== undefined) return;
    const { log, dispatch, onFailure } = this.#options;
    log.info({ height }, 'fell behind the other validators: fetching final blocks');
    this.#target = height;
    const ended = () => {
      this.#catchingUp = undefined;
      this.#target = undefined;
    };
    this.#catchingUp = this.#catchUp.run(height).then(
      (done) => {
        ended();
        if (done !== undefined) dispatch({ type: 'synced', ...done });
      },
      (error: unknown) => {
        ended();
        if (error instanceof Divergence) this.onDiverged(error.message);
        else onFailure(error);
      },
    );
  }

  /**
   * Called when this node and a quorum disagree about a block's validity.
   * @param what describes the disagreement for the operator
   */
  onDiverged(what: string): void {
    this.#divergence = what;
    this.#options.log.error(
      { what },
      "this node and a quorum of the validators disagree about a block, so it no longer votes; check with heddle verify that its data is intact, and that it runs the others' version",
    );
  }

  stop(): void {
    this.#catchUp.stop();
  }
}
