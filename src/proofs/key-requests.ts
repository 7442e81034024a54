import type { Caller } from '../async/caller.js';
import { CallerGoneError } from '../async/sliced-work.js';
import { type PendingItem, TickBatch } from '../async/tick-batch.js';
import { concatBytes } from '../base/concat-bytes.js';
import type { TreeProof } from '../generated/node-rpc-v1.js';
import { ProofError, type ProofProblem } from './proof-error.js';
import type { ProveRequest, TreeAt } from './proof-messages.js';
import { decodeTreeProofs } from './proof-wire.js';

/** Maximum number of keys per request; the worker handles them in a few milliseconds. */
const KEYS_PER_REQUEST = 128;
/** Maximum number of keys waiting for proofs; further requests are refused. */
const MAX_WAITING_KEYS = 10_000;

interface Keys {
  readonly at: TreeAt;
  /** 32 bytes each. */
  readonly keys: readonly Uint8Array[];
  readonly caller: Caller;
}

type Waiting = PendingItem<Keys, TreeProof[]>;

/**
 * Combines the proof requests of one event loop tick into a few requests to the worker.
 *
 * Hot path: guarded by bench/tree.bench.ts.
 */
export class KeyRequests {
  readonly #send: (request: Omit<ProveRequest, 'id'>) => number;
  readonly #gathered = new TickBatch<Keys, TreeProof[]>(() => this.#flush());
  readonly #sent = new Map<number, readonly Waiting[]>();
  #waitingKeys = 0;

  /** @param send posts a request and returns its id */
  constructor(send: (request: Omit<ProveRequest, 'id'>) => number) {
    this.#send = send;
  }

  /** @param keys 32 bytes each @throws ProofError `overloaded` */
  prove(at: TreeAt, keys: readonly Uint8Array[], caller: Caller): Promise<TreeProof[]> {
    if (this.#waitingKeys + keys.length > MAX_WAITING_KEYS) {
      throw new ProofError('overloaded', `more than ${MAX_WAITING_KEYS} state proofs are waiting`);
    }
    this.#waitingKeys += keys.length;
    return this.#gathered.add({ at, keys, caller });
  }

  #flush(): void {
    const gathered = this.#gathered.take();
    for (const { item, reject } of gathered) {
      if (!item.caller.isGone) continue;
      this.#waitingKeys -= item.keys.length;
      reject(new CallerGoneError());
    }
    for (const callers of requestsOf(gathered.filter(({ item }) => !item.caller.isGone))) {
      const [first] = callers;
      if (first === undefined) continue;
      const { height, stateRoot } = first.item.at;
      const keys = concatBytes(callers.flatMap(({ item }) => item.keys));
      this.#sent.set(this.#send({ type: 'prove', height, stateRoot, keys }), callers);
    }
  }

  /** Resolves the callers of a request with the worker's proofs. */
  proved(id: number, encoded: Uint8Array): void {
    const proofs = decodeTreeProofs(encoded);
    let at = 0;
    for (const { item, resolve } of this.#take(id)) {
      resolve(proofs.slice(at, at + item.keys.length));
      at += item.keys.length;
    }
  }

  /** Retries the callers of a request through `elsewhere`, because the worker has moved past the request's height. */
  passed(id: number, elsewhere: (item: Keys) => Promise<TreeProof[]>): void {
    for (const { item, resolve, reject } of this.#take(id)) elsewhere(item).then(resolve, reject);
  }

  refused(id: number, { code, message, kept }: ProofProblem): void {
    const error = new ProofError(code, message, { kept });
    for (const { reject } of this.#take(id)) reject(error);
  }

  rejectAll(error: ProofError): void {
    for (const { reject } of this.#gathered.take()) reject(error);
    for (const callers of this.#sent.values()) for (const { reject } of callers) reject(error);
    this.#sent.clear();
    this.#waitingKeys = 0;
  }

  #take(id: number): readonly Waiting[] {
    const callers = this.#sent.get(id) ?? [];
    this.#sent.delete(id);
    for (const { item } of callers) this.#waitingKeys -= item.keys.length;
    return callers;
  }
}

/** Groups callers of the same height into requests of up to {@link KEYS_PER_REQUEST} keys. */
function requestsOf(callers: readonly Waiting[]): Waiting[][] {
  const requests: Waiting[][] = [];
  const open = new Map<bigint, { readonly sharing: Waiting[]; count: number }>();
  for (const caller of callers) {
    const { at, keys } = caller.item;
    let request = open.get(at.height);
    if (request === undefined || request.count + keys.length > KEYS_PER_REQUEST) {
      request = { sharing: [], count: 0 };
      open.set(at.height, request);
      requests.push(request.sharing);
    }
    request.sharing.push(caller);
    request.count += keys.length;
  }
  return requests;
}
