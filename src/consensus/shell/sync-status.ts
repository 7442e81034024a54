import type { SyncInfo } from '../consensus-info.js';
import type { Effect } from '../core/types.js';
import { CatchUp, type CatchUpOptions, Divergence } from './catch-up.js';
import type { CoreInput } from './core-driver.js';
import type { ShellOptions } from './shell-options.js';

export interface SyncStatusOptions extends Pick<ShellOptions, 'log'>, Omit<CatchUpOptions, 'onWithheld'> {
  readonly dispatch: (news: CoreInput) => void;
  readonly onFailure: (error: unknown) => void;
  readonly peers: {
    /** Connections without which this node hears of no new block. */
    readonly needed: () => number;
    /** Of a block that validators beyond those who may be faulty have verified; undefined where nothing is known. */
    readonly bestHeight: () => number | undefined;
    /** Whether agreement has begun here. */
    readonly hasStarted: () => boolean;
  };
}

/** Blocks behind the others at which a validator counts as synced: the next ones are always on their way. */
const SYNCED_LAG = 2;

/** Where this validator stands beside the others: with them, behind them and catching up, or at odds with them. */
export class SyncStatus {
  readonly #options: SyncStatusOptions;
  readonly #catchUp: CatchUp;
  #catchingUp: Promise<void> | undefined;
  /** The height that is caught up with. */
  #target: number | undefined;
  #divergence: string | undefined;

  constructor(options: SyncStatusOptions) {
    this.#options = options;
    this.#catchUp = new CatchUp({
      ...options,
      onWithheld: (height, reason) =>
        options.log.warn({ height, reason }, 'a final block could not be verified; it is tried again'),
    });
  }

  /** Resolves when no final blocks are being fetched. */
  get caughtUp(): Promise<void> {
    return this.#catchingUp ?? Promise.resolve();
  }

  /** What this node found to be otherwise than a quorum says; it votes no more then. */
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
      ...(this.#divergence === undefined ? [] : [`it votes no more: ${this.#divergence}`]),
      ...(this.#target === undefined ? [] : [`it fetches final blocks up to height ${this.#target}`]),
    ];
    const isStalled = this.#divergence !== undefined || isolation !== undefined;
    const isCatchingUp = this.#target !== undefined || isBehind;
    const state = isStalled ? 'stalled' : isCatchingUp ? 'catching_up' : 'synced';
    const known = [tip, best, BigInt(this.#target ?? 0)];
    return { state, bestKnownHeight: known.reduce((a, b) => (a > b ? a : b)), reasons };
  }

  /** Why new blocks cannot come here. */
  #isolation(): string | undefined {
    const { network, peers } = this.#options;
    if (!peers.hasStarted()) return 'agreement has not begun here yet';
    const [connected, needed] = [network.connected().length, peers.needed()];
    if (connected >= needed) return undefined;
    return `connected to ${connected} other validators, and agreement takes ${needed}`;
  }

  /** A peer's final blocks. */
  onAnswer(peer: number, answer: Parameters<CatchUp['onAnswer']>[1]): void {
    this.#catchUp.onAnswer(peer, answer);
  }

  /** The others are at this height: fetches what they have, unless that is under way. */
  onFellBehind({ height }: Extract<Effect, { readonly type: 'fell_behind' }>): void {
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

  /** A quorum holds something to be valid that is not, or the other way round. @param what it is, for people */
  onDiverged(what: string): void {
    this.#divergence = what;
    this.#options.log.error(
      { what },
      'this node and a quorum of the validators disagree about a block: it votes no more. Check with heddle verify that its data is not damaged, and that it runs their version',
    );
  }

  /** Fetches nothing more. */
  stop(): void {
    this.#catchUp.stop();
  }
}
