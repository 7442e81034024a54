import type { CallAllowance } from '../../async/caller.js';
import type { Rate } from '../../async/gcra.js';
import { RpcError } from '../errors.js';
import { declaredGas } from './declared-gas.js';
import { ENDED, rateLimited } from './meter-errors.js';
import { type CallBucket, GAS_BUCKET, TIME_BUCKET, type TokenSlot, type TokenSlots } from './token-slots.js';
import type { TokenClaims } from './tokens.js';

/** A single call may always use this much: with less, no useful call would run. */
const MIN_CALL_GAS = 10_000_000;
const MIN_CALL_MS = 250;
/** Interval at which waiting calls check for the end of calls in other threads. */
const CHECK_MS = 10;
const MAX_WAIT_MS = 10_000;

export interface NodeCallLimits {
  readonly maxCallGas: number;
  readonly maxCallMs: number;
}

interface Limit {
  readonly bucket: CallBucket;
  /** A full bucket has room for one call beside the use of one second. */
  readonly rate: Rate;
  readonly perCall: number;
  /** Describes the limit in messages. */
  readonly name: string;
}

interface WaitingCall {
  readonly gas: number;
  readonly isGone: () => boolean;
  readonly since: number;
  readonly resolve: (outcome: ReservedCall | RpcError) => void;
}

/**
 * The gas and time that a token grants for calls which run contracts, in one thread. A call reserves its limits before
 * it runs; when it ends, its use replaces the reservation. If a call finds no room because of the reservations of running ones,
 * it waits until they are settled; if the use of past calls leaves no room, it is refused.
 */
export class CallLimits {
  readonly #slots: TokenSlots;
  readonly #slot: TokenSlot;
  readonly #node: NodeCallLimits;
  readonly #gas: Limit | undefined;
  readonly #time: Limit | undefined;
  readonly #waiting: WaitingCall[] = [];
  #timer: NodeJS.Timeout | undefined;

  private constructor(claims: TokenClaims, slot: TokenSlot, slots: TokenSlots, node: NodeCallLimits) {
    this.#slots = slots;
    this.#slot = slot;
    this.#node = node;
    const { maxCallGas, maxCallMs } = node;
    const [gas, time] = ["the token's gas per second", "the token's execution time per second"];
    this.#gas = limitOf(GAS_BUCKET, claims.gas, MIN_CALL_GAS, maxCallGas, gas);
    this.#time = limitOf(TIME_BUCKET, claims.time, MIN_CALL_MS, maxCallMs, time);
  }

  /** The limits of a token; undefined if it has none. */
  static of(
    claims: TokenClaims,
    slot: TokenSlot,
    slots: TokenSlots,
    node: NodeCallLimits,
  ): CallLimits | undefined {
    const isLimited = claims.gas !== undefined || claims.time !== undefined;
    return isLimited ? new CallLimits(claims, slot, slots, node) : undefined;
  }

  /** @param params not decoded yet @returns the refusal, or `wait` if {@link reserveLater} has to decide */
  reserve(method: string, params: unknown): ReservedCall | RpcError | 'wait' {
    if (this.#waiting.length > 0) return 'wait';
    const outcome = this.#tryReserve(this.#gasFor(method, params));
    return isWait(outcome) ? 'wait' : outcome;
  }

  /** Reserves the limits of a call once earlier calls have ended. @param isGone true once the caller has gone */
  reserveLater(method: string, params: unknown, isGone: () => boolean): Promise<ReservedCall | RpcError> {
    const gas = this.#gasFor(method, params);
    return new Promise((resolve) => {
      this.#waiting.push({ gas, isGone, since: performance.now(), resolve });
      this.#admit();
    });
  }

  /** Counts the use of a call that has ended, and gives back the rest of its reservation. */
  settle(reserved: GasAndTime, used: GasAndTime): void {
    // The slot may belong to another token by now.
    if (this.#slots.isCurrent(this.#slot)) {
      this.#settleIn(this.#gas, reserved.gas, used.gas);
      this.#settleIn(this.#time, reserved.ms, used.ms);
    }
    if (this.#waiting.length > 0) this.#admit();
  }

  #settleIn(limit: Limit | undefined, reserved: number, used: number): void {
    if (limit !== undefined) this.#slots.settle(this.#slot, limit.bucket, reserved, used, limit.rate);
  }

  #gasFor(method: string, params: unknown): number {
    if (this.#gas === undefined) return 0;
    return Math.min(this.#gas.perCall, declaredGas(method, params, this.#node.maxCallGas));
  }

  #tryReserve(gas: number): ReservedCall | RpcError | Wait {
    if (!this.#slots.isCurrent(this.#slot)) return ENDED;
    const ms = this.#time?.perCall ?? 0;
    const noGas = this.#reserveIn(this.#gas, gas);
    if (noGas !== undefined) return noGas;
    const noTime = this.#reserveIn(this.#time, ms);
    if (noTime === undefined) return new ReservedCall(this, this.#gas && gas, this.#time && ms);
    this.#settleIn(this.#gas, gas, 0);
    return noTime;
  }

  #reserveIn(limit: Limit | undefined, amount: number): RpcError | Wait | undefined {
    if (limit === undefined) return undefined;
    const full = this.#slots.reserve(this.#slot, limit.bucket, amount, limit.rate);
    if (full === undefined) return undefined;
    const error = rateLimited(full.retryMs, limit.name);
    return full.mayFitSooner ? { error } : error;
  }

  /** Lets waiting calls run in order of arrival while there is room. */
  #admit(): void {
    const now = performance.now();
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      let outcome = next.isGone() ? GONE : this.#tryReserve(next.gas);
      if (isWait(outcome)) {
        if (now - next.since < MAX_WAIT_MS) break;
        outcome = outcome.error;
      }
      this.#waiting.shift();
      next.resolve(outcome);
    }
    if (this.#waiting.length === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#admit();
    }, CHECK_MS);
  }
}

interface GasAndTime {
  gas: number;
  ms: number;
}

export class ReservedCall implements CallAllowance {
  readonly gas: number | undefined;
  readonly ms: number | undefined;
  readonly #limits: CallLimits;
  #used: GasAndTime = { gas: 0, ms: 0 };
  #isSettled = false;

  constructor(limits: CallLimits, gas: number | undefined, ms: number | undefined) {
    this.#limits = limits;
    this.gas = gas;
    this.ms = ms;
  }

  use(ms: number, gas: number | undefined): void {
    this.#used.ms += ms;
    this.#used.gas += gas ?? this.gas ?? 0;
    // Work for a call may outlive it.
    if (this.#isSettled) this.#settle({ gas: 0, ms: 0 });
  }

  noteWork(): void {
    // The token's limits are in gas and time alone.
  }

  /** Settles the call; later calls have no effect. */
  settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#settle({ gas: this.gas ?? 0, ms: this.ms ?? 0 });
  }

  #settle(reserved: GasAndTime): void {
    const used = this.#used;
    this.#used = { gas: 0, ms: 0 };
    this.#limits.settle(reserved, used);
  }
}

/** Running calls leave no room; `error` is the refusal if none appears in time. */
interface Wait {
  readonly error: RpcError;
}

/** Shared, because nobody reads it. */
const GONE = new RpcError('timeout', 'the call was cancelled before it was answered', {});

function isWait(outcome: ReservedCall | RpcError | Wait): outcome is Wait {
  return !(outcome instanceof RpcError || outcome instanceof ReservedCall);
}

function limitOf(
  bucket: CallBucket,
  claim: number | undefined,
  min: number,
  max: number,
  name: string,
): Limit | undefined {
  if (claim === undefined) return undefined;
  const burst = Math.max(claim, min);
  const perCall = Math.min(burst, max);
  return { bucket, rate: { perSecond: claim, burst: burst + perCall }, perCall, name };
}
