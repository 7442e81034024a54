import type { ProofReply, ProveRequest } from './messages.js';
import type { ProofCore } from './proof-core.js';
import { problemOf } from './proof-error.js';

/** How long the worker does not look for a block, in milliseconds. */
const SLICE_MS = 4;

interface OldJob {
  readonly id: number;
  readonly work: Generator<undefined, Uint8Array<ArrayBuffer>>;
}

/**
 * Requests for proofs, answered between blocks: those in the present tree first, while trees of earlier heights are worked out
 * one after the other.
 */
export class ProofQueue {
  readonly #core: ProofCore;
  readonly #post: (reply: ProofReply, transfer?: readonly ArrayBuffer[]) => void;
  #waiting: ProveRequest[] = [];
  #old: OldJob | undefined;
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
   * Answers what waits for the present tree, as far as there is time: it is about to become another, and then working out what it
   * was takes long.
   */
  answerPresent(): void {
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end && this.#stepPresent());
  }

  /** Answers nothing more. */
  stop(): void {
    this.#waiting = [];
    this.#old = undefined;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Messages that have come in meanwhile, blocks among them, are taken first.
    setImmediate(() => {
      this.#scheduled = false;
      const end = performance.now() + SLICE_MS;
      while (performance.now() < end && this.#step());
      if (this.#waiting.length > 0 || this.#old !== undefined) this.#schedule();
    });
  }

  /** @returns whether there was something to do */
  #step(): boolean {
    return this.#stepPresent() || this.#stepOld();
  }

  #stepPresent(): boolean {
    const present = this.#waiting.findIndex(({ height }) => this.#core.isPresent(height));
    const [request] = present < 0 ? [] : this.#waiting.splice(present, 1);
    if (request === undefined) return false;
    this.#answer(request.id, () => this.#core.provePresent(request, splitHashes(request.keys)));
    return true;
  }

  #stepOld(): boolean {
    this.#old ??= this.#nextOld();
    if (this.#old === undefined) return false;
    const { id, work } = this.#old;
    this.#answer(id, () => {
      const { done, value } = work.next();
      return done === true ? value : undefined;
    });
    return true;
  }

  #nextOld(): OldJob | undefined {
    const request = this.#waiting.shift();
    if (request === undefined) return undefined;
    return { id: request.id, work: this.#core.proveOld(request, splitHashes(request.keys)) };
  }

  /** @param work undefined where it is not done yet */
  #answer(id: number, work: () => Uint8Array<ArrayBuffer> | undefined): void {
    let proofs: Uint8Array<ArrayBuffer> | undefined;
    try {
      proofs = work();
      if (proofs === undefined) return;
      this.#post({ type: 'proved', id, proofs }, [proofs.buffer]);
    } catch (error) {
      this.#post({ type: 'refused', id, ...problemOf(error) });
      const { broken } = this.#core;
      if (broken !== undefined) this.#post({ type: 'failed', ...problemOf(broken) });
    }
    if (this.#old?.id === id) this.#old = undefined;
  }
}

function splitHashes(packed: Uint8Array): Uint8Array[] {
  const hashes: Uint8Array[] = [];
  for (let at = 0; at < packed.length; at += 32) hashes.push(packed.subarray(at, at + 32));
  return hashes;
}
