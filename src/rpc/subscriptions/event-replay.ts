import { rpcMethods } from '../../ledger/rpc-codecs.js';
import type { Meter, PricedMethod } from '../access/meter.js';
import { CallWork } from '../calls/charges.js';
import { limitExceeded, RpcError } from '../errors.js';
import { expectStored } from '../methods/page-arguments.js';
import type { Topic } from '../topics.js';
import type { BlockSource } from './block-channel.js';

/** Pause after a refusal that names no time. */
const PAUSE_MS = 500;

/** A subscription that is at most this many blocks behind when it begins needs no slot of `maxReplays`. */
export const SHORT_REPLAY = 1_024n;

/** A block that is at most this far above the tip may exist before long. */
const SOON = 1_024n;

/** A page of past events costs as much as the method that lists the same, and counts as a call of it. */
const PAGE_METHODS = { blocks: methodOf('list_blocks'), logs: methodOf('get_logs') } as const;

export interface ReplayParts {
  readonly topic: Topic;
  /** Absent if the events are free. */
  readonly meter: Meter | undefined;
  /** True if it counts towards `maxReplays`. */
  readonly isLong: boolean;
  readonly onEnd: () => void;
}

/**
 * The past events of a resumed subscription. Each page is charged before it is read, and its work once it is sent,
 * so the client's rate paces it.
 */
export class EventReplay {
  readonly isLong: boolean;
  readonly #page: PricedMethod;
  readonly #meter: Meter | undefined;
  readonly #onEnd: () => void;
  #isPaid = false;
  /** Counts the reads of the next page; undefined if the events are free. */
  #work: CallWork | undefined;
  /** No charge is tried before this time of `performance.now()`. */
  #notBeforeMs = 0;
  #isEnded = false;

  constructor({ topic, meter, isLong, onEnd }: ReplayParts) {
    this.#page = topic === 'logs' ? PAGE_METHODS.logs : PAGE_METHODS.blocks;
    this.#meter = meter;
    this.#work = meter && new CallWork();
    this.isLong = isLong;
    this.#onEnd = onEnd;
  }

  /** The next page's reads are counted here. */
  get work(): CallWork | undefined {
    return this.#work;
  }

  /** @returns `later` to ask again later, a promise to wait for before asking again, or the refusal that ends it */
  pay(): 'paid' | 'later' | RpcError | Promise<RpcError | undefined> {
    if (this.#isPaid || this.#meter === undefined) return 'paid';
    if (performance.now() < this.#notBeforeMs) return 'later';
    const outcome = this.#meter.charge(this.#page);
    if (outcome === 'wait') {
      return this.#meter.chargeLater(this.#page).then((refusal) => {
        const verdict = this.#judge(refusal);
        return verdict instanceof RpcError ? verdict : undefined;
      });
    }
    return this.#judge(outcome);
  }

  sent(): void {
    this.#isPaid = false;
    const units = this.#work?.units(0) ?? 0;
    if (units === 0) return;
    this.#meter?.chargeWork(units, this.#page);
    this.#work = new CallWork();
  }

  /** Called once there are no past events left, or nothing waits for them any more. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#onEnd();
  }

  #judge(refusal: RpcError | undefined): 'paid' | 'later' | RpcError {
    if (refusal === undefined) {
      this.#isPaid = true;
      // The subscription ended during the charge, so nobody reads this page.
      if (this.#isEnded) this.#meter?.refund(this.#page);
      return 'paid';
    }
    if (!refusal.retryable) return refusal;
    const { retry_after_ms: pauseMs = PAUSE_MS } = refusal.details as { readonly retry_after_ms?: number };
    this.#notBeforeMs = performance.now() + pauseMs;
    return 'later';
  }
}

/** @param maxHeights maximum distance from the tip @throws RpcError */
export function checkResume({ chain }: BlockSource, from: bigint, maxHeights: number): void {
  const tip = chain.tip.header.height;
  if (from > tip + 1n) {
    const message = `block ${from} does not exist yet; the next one is ${tip + 1n}`;
    // A client that resumes at another node may be ahead of it for a moment.
    throw new RpcError('not_found', message, { next: tip + 1n }, { retryable: from - tip <= SOON });
  }
  if (tip - from >= BigInt(maxHeights)) {
    const given = tip - from + 1n;
    throw limitExceeded('resume_heights', maxHeights, given, 'blocks from params.from_height to the tip');
  }
  if (from < chain.firstHeight) expectStored(chain, from);
}

function methodOf(name: string): PricedMethod {
  const declaration = rpcMethods.get(name);
  if (declaration === undefined) throw new Error(`the interface has no method ${name}`);
  return declaration;
}
