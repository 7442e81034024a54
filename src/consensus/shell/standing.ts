import type { AgreementSync } from '../agreement.js';
import type { Effect } from '../core/types.js';
import { CatchUp, type CatchUpOptions, Divergence } from './catch-up.js';
import type { CoreNews } from './core-driver.js';
import type { ShellOptions } from './shell-options.js';

export interface StandingOptions extends Pick<ShellOptions, 'log'>, Omit<CatchUpOptions, 'onWithheld'> {
  readonly tell: (news: CoreNews) => void;
  readonly onFailure: (error: unknown) => void;
}

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

  sync(): AgreementSync {
    const tip = this.#options.chain.tip.header.height;
    const reasons = [
      ...(this.#divergence === undefined ? [] : [`it votes no more: ${this.#divergence}`]),
      ...(this.#target === undefined ? [] : [`it fetches final blocks up to height ${this.#target}`]),
    ];
    const state =
      this.#divergence !== undefined ? 'stalled' : this.#target === undefined ? 'synced' : 'catching_up';
    const target = BigInt(this.#target ?? 0);
    return { state, bestKnownHeight: target > tip ? target : tip, reasons };
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
