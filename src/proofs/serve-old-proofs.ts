import type { MessagePort } from 'node:worker_threads';
import { loadHashes } from '../crypto/load-hashes.js';
import { openReader } from '../storage/open-store.js';
import { oldestHeight, StateUnavailableError, splitKeys } from '../storage/state.js';
import { ProofError, problemOf } from './proof-error.js';
import type {
  OldProofReply,
  OldProofRequest,
  OldProofWorkerData,
  ProveOldRequest,
} from './proof-messages.js';
import { proveTree } from './tree/key-proofs.js';
import { OldTrees, type TreeSource } from './tree/old-trees.js';
import { storedMarks } from './tree/page-versions.js';

/** Maximum time between checks for messages, in milliseconds; also the longest delay before a mark is released. */
const SLICE_MS = 4;

/** The worker's side of proof-messages.ts: answers requests until stopped. */
export async function serveOldProofs(port: MessagePort, data: OldProofWorkerData): Promise<void> {
  // Messages that arrive while hashes load wait in the port.
  const crypto = await loadHashes(data.native);
  const store = openReader(data.store);
  const prover = new OldProver({ crypto, store }, data.memoryBytes);
  const post = (reply: OldProofReply, transfer: readonly ArrayBuffer[] = []) =>
    port.postMessage(reply, transfer);

  let stopped = false;
  let busyMs = 0;
  let inFlight: { isAbandoned: boolean } | undefined;
  const run = (work: Generator<undefined, Uint8Array<ArrayBuffer>>) => {
    if (stopped) return;
    if (inFlight?.isAbandoned === true) {
      inFlight = undefined;
      post({ type: 'abandoned', ms: busyMs });
      return;
    }
    const from = performance.now();
    try {
      do {
        const { done, value } = work.next();
        if (done !== true) continue;
        inFlight = undefined;
        post({ type: 'proved', ms: busyMs + performance.now() - from, proofs: value }, [value.buffer]);
        return;
      } while (performance.now() - from < SLICE_MS);
    } catch (error) {
      inFlight = undefined;
      post({ type: 'refused', ms: busyMs + performance.now() - from, ...problemOf(error) });
      return;
    }
    busyMs += performance.now() - from;
    setImmediate(() => run(work));
  };

  port.on('message', async (request: OldProofRequest) => {
    switch (request.type) {
      case 'prove':
        busyMs = 0;
        inFlight = { isAbandoned: false };
        run(prover.prove(request));
        break;
      case 'give_up':
        prover.cancel(request.marks);
        post({ type: 'given_up' });
        break;
      case 'abandon':
        if (inFlight !== undefined) inFlight.isAbandoned = true;
        break;
      case 'stop':
        stopped = true;
        await store.close();
        port.close();
    }
  });
}

/** Proves keys in trees of earlier heights, each derived from a stored one. */
class OldProver {
  readonly #source: TreeSource;
  readonly #trees: OldTrees;
  /** Marks about to be dropped from the store. */
  #releasedMarks = new Set<bigint>();

  constructor(source: TreeSource, memoryBytes: number) {
    this.#source = source;
    this.#trees = new OldTrees(source, memoryBytes);
  }

  cancel(marks: readonly bigint[]): void {
    for (const mark of marks) this.#releasedMarks.add(mark);
    this.#trees.dropMarks(marks);
  }

  /** @throws ProofError `state_unavailable`, `invalid_input`, `damaged` */
  *prove(request: ProveOldRequest): Generator<undefined, Uint8Array<ArrayBuffer>> {
    const { height, window, isKept } = request;
    const isServed = height <= window.newest && (height >= window.oldest || isKept);
    if (!isServed || height < oldestHeight(this.#source.store)) throw this.#unavailable(request);
    try {
      const keys = splitKeys(request.keys);
      const tree = yield* this.#trees.treeAt(request, keys, () => this.#marks());
      return proveTree(this.#source, tree, request, keys);
    } catch (error) {
      if (error instanceof StateUnavailableError) throw this.#unavailable(request);
      if (error instanceof ProofError && error.code === 'state_unavailable') {
        throw new ProofError(error.code, error.message, { kept: this.#kept(request) });
      }
      throw error;
    }
  }

  /** Marks usable for proofs. Read from the store, which writes a mark in the same batch as the pages of its tree. */
  #marks(): readonly bigint[] {
    const stored = storedMarks(this.#source.store);
    this.#releasedMarks = new Set(stored.filter((mark) => this.#releasedMarks.has(mark)));
    return stored.filter((mark) => !this.#releasedMarks.has(mark));
  }

  #kept({ window }: ProveOldRequest): ProveOldRequest['window'] {
    const readable = oldestHeight(this.#source.store);
    return readable < window.oldest ? window : { oldest: readable, newest: window.newest };
  }

  #unavailable(request: ProveOldRequest): ProofError {
    const kept = this.#kept(request);
    return new ProofError(
      'state_unavailable',
      `the state tree of height ${request.height} is not kept: expected ${kept.oldest} to ${kept.newest}, or a checkpoint`,
      { kept },
    );
  }
}
