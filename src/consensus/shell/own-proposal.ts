import type { BlockHash } from '../core/types.js';
import type { ShellOptions } from './shell-context.js';

/** Reports the fate of blocks proposed here to the fill policy. */
export class OwnProposal {
  readonly #fillPolicy: ShellOptions['fillPolicy'];
  /** The last block proposed here with items, until it is final. */
  #pending: BlockHash | undefined;

  constructor(fillPolicy: ShellOptions['fillPolicy']) {
    this.#fillPolicy = fillPolicy;
  }

  begin(): void {
    // The previous proposal of this node is still not final, although it leads again.
    if (this.#pending !== undefined) this.#fillPolicy?.onAbandoned();
    this.#pending = undefined;
  }

  made(hash: BlockHash): void {
    this.#pending = hash;
  }

  failed(): void {
    this.#fillPolicy?.onAbandoned();
  }

  /** @param totalMs from the start of the proposal */
  committed(hash: BlockHash, totalMs: number): void {
    if (hash !== this.#pending) return;
    this.#pending = undefined;
    this.#fillPolicy?.onFinalized(totalMs);
  }
}
