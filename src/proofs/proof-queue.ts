import type { ProofReply, ProveRequest } from './messages.js';
import type { ProofCore } from './proof-core.js';
import { problemOf } from './proof-error.js';
import { splitHashes } from './prove-tree.js';

/** Maximum time that the worker works on proofs without checking for blocks, in milliseconds. */
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

  /**
   * Answers one slice of the waiting requests. Called before the tree moves to the next block, after which the others
   * must be answered elsewhere.
   */
  slice(): void {
    const end = performance.now() + SLICE_MS;
    while (this.#waiting.length > 0 && performance.now() < end) this.#step();
  }

  stop(): void {
    this.#waiting = [];
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Queued messages, blocks among them, are handled first.
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
