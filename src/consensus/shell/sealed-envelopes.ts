import type { ShellOptions } from './shell-options.js';

/** Watches for sealed envelopes in committed blocks, and has due keys signed. */
export class SealedEnvelopes {
  readonly #options: Pick<ShellOptions, 'chain' | 'sealKeys'>;
  #areWaiting = false;

  constructor(options: Pick<ShellOptions, 'chain' | 'sealKeys'>) {
    this.#options = options;
  }

  /** Whether envelopes wait for the block that opens them. */
  get areWaiting(): boolean {
    return this.#areWaiting;
  }

  /** Called when tip or epoch has changed. */
  refresh(): void {
    const { sealKeys, chain } = this.#options;
    if (sealKeys === undefined) return;
    this.#areWaiting = chain.unopenedHeights().length > 0;
    sealKeys.committed();
  }
}
