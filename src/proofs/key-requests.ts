import type { Caller } from '../async/caller.js';
import { FairQueue, type QueueClient, type Queued } from '../async/fair-queue.js';
import { CallerGoneError } from '../async/sliced-work.js';
import { type Asked, TurnBatch } from '../async/turn-batch.js';
import type { TreeProof } from '../generated/node-rpc-v1.js';
import type { ProveRequest } from './messages.js';
import { type KeptHeights, ProofError, type ProofErrorCode } from './proof-error.js';
import { decodeTreeProofs } from './proof-wire.js';
import type { TreeAt } from './tree/old-trees.js';

/** Keys in one request to the worker: some milliseconds of its time. */
const KEYS_A_REQUEST = 128;
/** Keys that may wait for their proofs; more are refused. */
const MAX_WAITING_KEYS = 10_000;

interface Keys {
  readonly at: TreeAt;
  /** 32 bytes each. */
  readonly keys: readonly Uint8Array[];
  readonly caller: Caller;
}

type Asking = Asked<Keys, TreeProof[]>;

/** One that waits for its client's turn. */
interface Waiting extends Queued {
  readonly asking: Asking;
}

/** A request that the worker has. */
interface Sent {
  readonly callers: readonly Asking[];
  /** Of one for an earlier height: whose turn it is, and since when. */
  readonly turn: { readonly client: QueueClient<Waiting>; readonly since: number } | undefined;
}

export interface KeyRequestsOptions {
  /** Posts a request and returns the id that it was given. */
  readonly send: (request: Omit<ProveRequest, 'id'>) => number;
  /** Whether the tree of a height is the last committed block's. */
  readonly isPresent: (height: bigint) => boolean;
}

/**
 * Gathers what is asked for in one turn of the event loop into few requests to the worker.
 *
 * Trees of earlier heights are worked out, which takes long: one at a time, for clients in turns (see {@link FairQueue}), each
 * for all that ask for that height.
 *
 * Hot path: guarded by bench/tree.bench.ts.
 */
export class KeyRequests {
  readonly #options: KeyRequestsOptions;
  readonly #gathered = new TurnBatch<Keys, TreeProof[]>(() => this.#flush());
  readonly #sent = new Map<number, Sent>();
  /** For earlier heights. */
  readonly #queue = new FairQueue<Waiting>();
  #waitingKeys = 0;
  #isOldUnderWay = false;

  constructor(options: KeyRequestsOptions) {
    this.#options = options;
  }

  /** @param keys 32 bytes each @throws ProofError `overloaded` */
  prove(at: TreeAt, keys: readonly Uint8Array[], caller: Caller): Promise<TreeProof[]> {
    // Whoever has the most waiting gives way.
    while (this.#waitingKeys + keys.length > MAX_WAITING_KEYS) {
      const surplus = this.#queue.takeFromLargest();
      if (surplus === undefined) throw overloaded();
      this.#drop(surplus.asking, overloaded());
    }
    this.#waitingKeys += keys.length;
    return this.#gathered.ask({ at, keys, caller });
  }

  #flush(): void {
    const present: Asking[] = [];
    for (const asking of this.#gathered.take()) {
      const { at, keys, caller } = asking.item;
      if (this.#options.isPresent(at.height)) {
        present.push(asking);
      } else {
        const client = this.#queue.client(caller.client);
        this.#queue.push(client, { asking, bytes: 32 * keys.length, since: performance.now() });
      }
    }
    for (const callers of requestsOf(present)) this.#send(callers, undefined);
    this.#sendOld();
  }

  /** Asks for the next earlier height, where the worker is at none. */
  #sendOld(): void {
    while (!this.#isOldUnderWay) {
      const now = performance.now();
      const taken = this.#queue.take(now, () => true);
      if (taken === undefined) return;
      const [client, { asking }] = taken;
      if (asking.item.caller.isGone) {
        this.#drop(asking, new CallerGoneError());
        continue;
      }
      const callers = [asking];
      let count = asking.item.keys.length;
      const { height } = asking.item.at;
      const others = this.#queue.drop(({ asking: { item } }) => {
        if (item.at.height !== height || count + item.keys.length > KEYS_A_REQUEST) return false;
        count += item.keys.length;
        return true;
      });
      callers.push(...others.map((other) => other.asking));
      this.#isOldUnderWay = true;
      this.#send(callers, { client, since: now });
    }
  }

  #send(callers: readonly Asking[], turn: Sent['turn']): void {
    const [first] = callers;
    if (first === undefined) return;
    const { height, stateRoot } = first.item.at;
    const id = this.#options.send({ type: 'prove', height, stateRoot, keys: packed(callers) });
    this.#sent.set(id, { callers, turn });
  }

  #drop({ item, reject }: Asking, error: Error): void {
    this.#waitingKeys -= item.keys.length;
    reject(error);
  }

  /** An answer of the worker. */
  proved(id: number, encoded: Uint8Array): void {
    const proofs = decodeTreeProofs(encoded);
    let at = 0;
    for (const { item, resolve } of this.#take(id)) {
      resolve(proofs.slice(at, at + item.keys.length));
      at += item.keys.length;
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
    for (const { reject } of this.#gathered.take()) reject(error);
    for (const { asking } of this.#queue.drop(() => true)) asking.reject(error);
    for (const { callers } of this.#sent.values()) for (const { reject } of callers) reject(error);
    this.#sent.clear();
    this.#waitingKeys = 0;
  }

  #take(id: number): readonly Asking[] {
    const sent = this.#sent.get(id);
    if (sent === undefined) return [];
    this.#sent.delete(id);
    for (const { item } of sent.callers) this.#waitingKeys -= item.keys.length;
    if (sent.turn !== undefined) {
      this.#queue.charge(sent.turn.client, performance.now() - sent.turn.since);
      this.#isOldUnderWay = false;
      this.#sendOld();
    }
    return sent.callers;
  }
}

function overloaded(): ProofError {
  return new ProofError('overloaded', `more than ${MAX_WAITING_KEYS} state proofs are waiting`);
}

/** Who shares a request: callers of one height, up to {@link KEYS_A_REQUEST} keys. */
function requestsOf(callers: readonly Asking[]): Asking[][] {
  const requests: Asking[][] = [];
  /** The last one of each height. */
  const open = new Map<bigint, { readonly sharing: Asking[]; count: number }>();
  for (const caller of callers) {
    const { at, keys } = caller.item;
    let request = open.get(at.height);
    if (request === undefined || request.count + keys.length > KEYS_A_REQUEST) {
      request = { sharing: [], count: 0 };
      open.set(at.height, request);
      requests.push(request.sharing);
    }
    request.sharing.push(caller);
    request.count += keys.length;
  }
  return requests;
}

function packed(callers: readonly Asking[]): Uint8Array<ArrayBuffer> {
  const keys = callers.flatMap(({ item }) => item.keys);
  const bytes = new Uint8Array(keys.length * 32);
  for (const [index, key] of keys.entries()) bytes.set(key, index * 32);
  return bytes;
}
