import type { ProofReply, ProveRequest } from './messages.js';
import type { ProofCore } from './proof-core.js';
import { problemOf } from './proof-error.js';
import { splitHashes } from './prove-tree.js';

/** How long the worker does not look for a block, in milliseconds. */
const SLICE_MS = 4;

/** Requests for proofs in the tree of the last committed block, answered between blocks. */
export class ProofQueue {
  readonly #core: ProofCore;
  readonly #post: (reply: ProofReply, transfer?: readonly ArrayBuffer[]) => void;
  #waiting: ProveRequest[] = [];
  #scheduled = false;

  constructor(core: ProofCore, post: (reply: ProofReply, transfer?: readonly ArrayBuffer[]) => void) {
    this.#core = core;
    this.#post = post;
  }

  add(request: ProveRequest): void {
    this.#waiting.push(request);
    this.#schedule();
  }

  /** One slice of what waits: before the tree moves on to the next block, after which the rest has to be worked out elsewhere. */
  slice(): void {
    const end = performance.now() + SLICE_MS;
    while (this.#waiting.length > 0 && performance.now() < end) this.#step();
  }

  /** Answers nothing more. */
  stop(): void {
    this.#waiting = [];
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Messages that have come in meanwhile, blocks among them, are taken first.
    setImmediate(() => {
      this.#scheduled = false;
      this.slice();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  #step(): void {
    const request = this.#waiting.shift();
    if (request === undefined) return;
    const { id, height, keys } = request;
    if (!this.#core.isLatest(height)) {
      this.#post({ type: 'passed', id });
      return;
    }
    try {
      const proofs = this.#core.proveLatest(request, splitHashes(keys));
      this.#post({ type: 'proved', id, proofs }, [proofs.buffer]);
    } catch (error) {
      this.#post({ type: 'refused', id, ...problemOf(error) });
      const { broken } = this.#core;
      if (broken !== undefined) this.#post({ type: 'failed', ...problemOf(broken) });
    }
  }
}
