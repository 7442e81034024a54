import type { TreeProof } from '../generated/node-rpc-v1.js';
import type { ProveRequest } from './messages.js';
import { type KeptHeights, ProofError, type ProofErrorCode } from './proof-error.js';
import { decodeTreeProofs } from './proof-wire.js';
import type { TreeAt } from './tree/old-trees.js';

/** Keys in one request to the worker: some milliseconds of its time. */
const KEYS_A_REQUEST = 128;
/** Keys that may wait for their proofs; more are refused. */
const MAX_WAITING_KEYS = 10_000;

interface Caller {
  readonly count: number;
  readonly resolve: (proofs: TreeProof[]) => void;
  readonly reject: (error: ProofError) => void;
}

interface Gathered {
  readonly at: TreeAt;
  readonly keys: Uint8Array[];
  readonly callers: Caller[];
}

/**
 * Gathers what is asked for in one turn of the event loop into few requests to the worker.
 *
 * Hot path: guarded by bench/tree.bench.ts.
 */
export class KeyRequests {
  readonly #send: (request: Omit<ProveRequest, 'id'>) => number;
  #gathered: Gathered[] = [];
  readonly #sent = new Map<number, readonly Caller[]>();
  #waitingKeys = 0;

  /** @param send posts a request and returns the id that it was given */
  constructor(send: (request: Omit<ProveRequest, 'id'>) => number) {
    this.#send = send;
  }

  /** @param keys 32 bytes each @throws ProofError `overloaded` */
  prove(at: TreeAt, keys: readonly Uint8Array[]): Promise<TreeProof[]> {
    if (this.#waitingKeys + keys.length > MAX_WAITING_KEYS) {
      throw new ProofError('overloaded', `more than ${MAX_WAITING_KEYS} state proofs are waiting`);
    }
    this.#waitingKeys += keys.length;
    return new Promise((resolve, reject) => {
      const group = this.#groupFor(at, keys.length);
      group.keys.push(...keys);
      group.callers.push({ count: keys.length, resolve, reject });
    });
  }

  #groupFor(at: TreeAt, count: number): Gathered {
    const found = this.#gathered.find(
      (group) => group.at.height === at.height && group.keys.length + count <= KEYS_A_REQUEST,
    );
    if (found !== undefined) return found;
    if (this.#gathered.length === 0) setImmediate(() => this.#flush());
    const group = { at, keys: [], callers: [] };
    this.#gathered.push(group);
    return group;
  }

  #flush(): void {
    for (const { at, keys, callers } of this.#gathered) {
      const packed = new Uint8Array(keys.length * 32);
      for (const [index, key] of keys.entries()) packed.set(key, index * 32);
      const { height, stateRoot } = at;
      this.#sent.set(this.#send({ type: 'prove', height, stateRoot, keys: packed }), callers);
    }
    this.#gathered = [];
  }

  /** An answer of the worker. */
  proved(id: number, encoded: Uint8Array): void {
    const proofs = decodeTreeProofs(encoded);
    let at = 0;
    for (const { count, resolve } of this.#take(id)) {
      resolve(proofs.slice(at, at + count));
      at += count;
    }
  }

  /** A refusal of the worker. */
  refused(
    id: number,
    problem: { readonly code: ProofErrorCode; readonly message: string; readonly kept?: KeptHeights },
  ): void {
    const error = new ProofError(problem.code, problem.message, { kept: problem.kept });
    for (const { reject } of this.#take(id)) reject(error);
  }

  /** Refuses all that waits. */
  rejectAll(error: ProofError): void {
    for (const { callers } of this.#gathered) for (const { reject } of callers) reject(error);
    for (const callers of this.#sent.values()) for (const { reject } of callers) reject(error);
    this.#gathered = [];
    this.#sent.clear();
    this.#waitingKeys = 0;
  }

  #take(id: number): readonly Caller[] {
    const callers = this.#sent.get(id) ?? [];
    this.#sent.delete(id);
    for (const { count } of callers) this.#waitingKeys -= count;
    return callers;
  }
}
