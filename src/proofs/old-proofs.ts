import { Worker } from 'node:worker_threads';
import type { Caller } from '../async/caller.js';
import { FairQueue, type QueueClient, type Queued } from '../async/fair-queue.js';
import { CallerGoneError } from '../async/sliced-work.js';
import { named } from '../async/thread-name.js';
import { concatBytes } from '../base/concat-bytes.js';
import { sameBytes } from '../base/same-bytes.js';
import type { TreeProof } from '../generated/node-rpc-v1.js';
import { type KeptHeights, ProofError } from './proof-error.js';
import type { OldProofReply, OldProofRequest, OldProofWorkerData, TreeAt } from './proof-messages.js';
import { decodeTreeProofs } from './proof-wire.js';

const KEYS_PER_REQUEST = 128;
/** Maximum number of waiting keys; beyond it, the client with the most waiting is refused. */
const MAX_WAITING_KEYS = 2_000;
/** Interval for checking whether the running request still has callers, in milliseconds. */
const WATCH_MS = 50;

/** A request for proofs in a tree that must be derived. */
interface OldRequest extends Queued {
  readonly at: TreeAt;
  /** 32 bytes each. */
  readonly keys: readonly Uint8Array[];
  readonly caller: Caller;
  readonly resolve: (proofs: TreeProof[]) => void;
  readonly reject: (error: Error) => void;
}

interface Running {
  /** Charged an estimate when taken, corrected when done. */
  readonly client: QueueClient<OldRequest>;
  readonly requests: readonly OldRequest[];
  readonly looking: NodeJS.Timeout;
}

/** Heights in the proof window, and the kept heights outside it. */
export interface Served {
  readonly window: KeptHeights;
  readonly isKept: (height: bigint) => boolean;
}

/**
 * Proofs at earlier heights, computed in a separate worker, which starts on the first request. Clients take turns
 * according to the time that their requests cost; requests for the same height share the work on its tree.
 */
export class OldProofs {
  readonly #data: OldProofWorkerData;
  readonly #served: () => Served;
  readonly #queue = new FairQueue<OldRequest>();
  #worker: Worker | undefined;
  #exited: Promise<void> | undefined;
  #running: Running | undefined;
  #waitingKeys = 0;
  #stopped: ProofError | undefined;
  /** Marks about to be dropped from the store. */
  readonly #dropping = new Set<bigint>();
  /** Resolvers of pending `give_up` requests, in order. */
  #releaseCallbacks: (() => void)[] = [];

  /** @param served read when a request starts */
  constructor(data: OldProofWorkerData, served: () => Served) {
    this.#data = data;
    this.#served = served;
  }

  /**
   * @param keys 32 bytes each, at most 128
   * @throws ProofError `state_unavailable`, `overloaded`, `damaged`, `worker_failed`; CallerGoneError
   */
  prove(at: TreeAt, keys: readonly Uint8Array[], caller: Caller): Promise<TreeProof[]> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped);
    return new Promise((resolve, reject) => {
      const request = {
        at,
        keys,
        caller,
        resolve,
        reject,
        since: performance.now(),
        bytes: keys.length * 32,
      };
      this.#queue.push(this.#queue.client(caller.client), request);
      this.#waitingKeys += keys.length;
      if (this.#waitingKeys > MAX_WAITING_KEYS) this.#shedOverload();
      this.#next();
    });
  }

  /** Resolves once no worker reads these marks. No worker will read them again before they are {@link dropped}. */
  async releaseMarks(marks: readonly bigint[]): Promise<void> {
    for (const mark of marks) this.#dropping.add(mark);
    if (this.#worker !== undefined) await this.#sendRelease(marks);
  }

  /** Called when the store has dropped these marks. */
  dropped(marks: readonly bigint[]): void {
    for (const mark of marks) this.#dropping.delete(mark);
  }

  #sendRelease(marks: readonly bigint[]): Promise<void> {
    return new Promise((resolve) => {
      this.#releaseCallbacks.push(resolve);
      this.#post({ type: 'give_up', marks });
    });
  }

  /** Rejects waiting and future requests; resolves once the worker has ended. */
  async stop(error: ProofError): Promise<void> {
    this.#stopped ??= error;
    this.#refuseAll(error);
    if (this.#worker !== undefined) this.#post({ type: 'stop' });
    await this.#exited;
  }

  #shedOverload(): void {
    this.#dropAbandoned();
    while (this.#waitingKeys > MAX_WAITING_KEYS) {
      const request = this.#queue.takeFromLargest();
      if (request === undefined) return;
      this.#waitingKeys -= request.keys.length;
      request.reject(
        new ProofError('overloaded', `more than ${MAX_WAITING_KEYS} state proofs at old heights are waiting`),
      );
    }
  }

  #dropAbandoned(): void {
    for (const request of this.#queue.drop(({ caller }) => caller.isGone)) {
      this.#waitingKeys -= request.keys.length;
      request.reject(new CallerGoneError());
    }
  }

  #next(): void {
    if (this.#running !== undefined || this.#stopped !== undefined) return;
    this.#dropAbandoned();
    const taken = this.#queue.take(performance.now(), () => true);
    if (taken === undefined) return;
    const [client, first] = taken;
    const { height, stateRoot } = first.at;
    let count = first.keys.length;
    const sharing = this.#queue.drop(({ at, keys }) => {
      const isSame = at.height === height && sameBytes(at.stateRoot, stateRoot);
      if (!isSame || count + keys.length > KEYS_PER_REQUEST) return false;
      count += keys.length;
      return true;
    });
    this.#waitingKeys -= count;
    const requests = [first, ...sharing];
    this.#running = { client, requests, looking: this.#watchCallers(requests) };
    const keys = concatBytes(requests.flatMap((request) => request.keys));
    const { window, isKept } = this.#served();
    if (this.#worker === undefined) {
      this.#worker = this.#start();
      if (this.#dropping.size > 0) void this.#sendRelease([...this.#dropping]);
    }
    this.#post({ type: 'prove', height, stateRoot, keys, window, isKept: isKept(height) });
  }

  /** Abandons running requests once all their callers are gone. */
  #watchCallers(requests: readonly OldRequest[]): NodeJS.Timeout {
    const looking = setInterval(() => {
      if (!requests.every(({ caller }) => caller.isGone)) return;
      clearInterval(looking);
      this.#post({ type: 'abandon' });
    }, WATCH_MS);
    return looking.unref();
  }

  #post(request: OldProofRequest): void {
    this.#worker?.postMessage(request);
  }

  #start(): Worker {
    const worker = new Worker(new URL('../../workers/old-proof-worker.js', import.meta.url), {
      ...named('old-proofs'),
      workerData: this.#data,
    });
    let problem = 'the worker for old proofs exited unexpectedly';
    worker.on('message', (reply: OldProofReply) => this.#receive(reply));
    worker.on('error', (error: Error) => {
      problem = `the worker for old proofs died: ${error.message}`;
    });
    this.#exited = new Promise((resolve) => {
      worker.on('exit', () => {
        this.#worker = undefined;
        for (const givenUp of this.#releaseCallbacks.splice(0)) givenUp();
        // Only the running requests fail; the next waiting request starts a new worker.
        this.#refuseRunning(new ProofError('worker_failed', problem));
        this.#next();
        resolve();
      });
    });
    return worker;
  }

  #receive(reply: OldProofReply): void {
    if (reply.type === 'given_up') {
      this.#releaseCallbacks.shift()?.();
      return;
    }
    const running = this.#running;
    this.#running = undefined;
    clearInterval(running?.looking);
    if (running !== undefined) {
      this.#charge(running, reply.ms);
      if (reply.type === 'proved') {
        const proofs = decodeTreeProofs(reply.proofs);
        let at = 0;
        for (const { keys, resolve } of running.requests) {
          resolve(proofs.slice(at, at + keys.length));
          at += keys.length;
        }
      } else if (reply.type === 'abandoned') {
        for (const { reject } of running.requests) reject(new CallerGoneError());
      } else {
        const { code, message, kept } = reply;
        for (const { reject } of running.requests) reject(new ProofError(code, message, { kept }));
      }
    }
    this.#next();
  }

  /** Splits the cost of a tree among the requests that shared it. */
  #charge({ client, requests }: Running, ms: number): void {
    const share = ms / requests.length;
    this.#queue.charge(client, share);
    for (const { caller } of requests.slice(1)) this.#queue.client(caller.client).creditMs -= share;
  }

  #refuseRunning(error: ProofError): void {
    clearInterval(this.#running?.looking);
    for (const { reject } of this.#running?.requests ?? []) reject(error);
    this.#running = undefined;
  }

  #refuseAll(error: ProofError): void {
    this.#refuseRunning(error);
    for (const { reject } of this.#queue.drop(() => true)) reject(error);
    this.#waitingKeys = 0;
  }
}
