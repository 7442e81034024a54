import type { ShellContext } from './shell-context.js';

/** Watches for sealed envelopes in committed blocks, and has due keys signed. */
export class SealedEnvelopes {
  readonly #context: ShellContext;
  #areWaiting = false;

  constructor(context: ShellContext) {
    this.#context = context;
  }

  /** Whether envelopes wait for the block that opens them. */
  get areWaiting(): boolean {
    return this.#areWaiting;
  }

  /** Called when tip or epoch has changed. */
  refresh(): void {
    const { sealKeys, chain } = this.#context;
    if (sealKeys === undefined) return;
    this.#areWaiting = chain.unopenedHeights().length > 0;
    sealKeys.committed();
  }
}
