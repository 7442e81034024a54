import type { AgreementSync } from '../agreement.js';
import type { Effect } from '../core/types.js';
import { CatchUp, type CatchUpOptions, Divergence } from './catch-up.js';
import type { CoreNews } from './core-driver.js';
import type { ShellOptions } from './shell-options.js';

export interface StandingOptions extends Pick<ShellOptions, 'log'>, Omit<CatchUpOptions, 'onWithheld'> {
  readonly tell: (news: CoreNews) => void;
  readonly onFailure: (error: unknown) => void;
  readonly others: {
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
export class Standing {
  readonly #options: StandingOptions;
  readonly #catchUp: CatchUp;
  #catchingUp: Promise<void> | undefined;
  /** The height that is caught up with. */
  #target: number | undefined;
  #divergence: string | undefined;

  constructor(options: StandingOptions) {
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

  sync(place: 'alone' | 'among others'): AgreementSync {
    const tip = this.#options.chain.tip.header.height;
    const isolation = place === 'alone' ? undefined : this.#isolation();
    const best = BigInt(this.#options.others.bestHeight() ?? 0);
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
    const { network, others } = this.#options;
    if (!others.hasStarted()) return 'agreement has not begun here yet';
    const [connected, needed] = [network.connected().length, others.needed()];
    if (connected >= needed) return undefined;
    return `connected to ${connected} other validators, and agreement takes ${needed}`;
  }

  /** A peer's final blocks. */
  answered(peer: number, answer: Parameters<CatchUp['answered']>[1]): void {
    this.#catchUp.answered(peer, answer);
  }

  /** The others are at this height: fetches what they have, unless that is under way. */
  fellBehind({ height }: Extract<Effect, { readonly type: 'fell_behind' }>): void {
    if (this.#catchingUp !== undefined) return;
    const { log, tell, onFailure } = this.#options;
    log.info({ height }, 'fell behind the other validators: fetching final blocks');
    this.#target = height;
    const ended = () => {
      this.#catchingUp = undefined;
      this.#target = undefined;
    };
    this.#catchingUp = this.#catchUp.run(height).then(
      (done) => {
        ended();
        if (done !== undefined) tell({ type: 'synced', ...done });
      },
      (error: unknown) => {
        ended();
        if (error instanceof Divergence) this.diverged(error.message);
        else onFailure(error);
      },
    );
  }

  /** A quorum holds something to be valid that is not, or the other way round. @param what it is, for people */
  diverged(what: string): void {
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
